/**
 * `node dev/scripts/newOperation.mts`: follows CONTRIBUTING.md from a clone to a new operation, as it
 * stands. It changes the clone that it runs in, so it asks for one without changes.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { edited, readPage } from './pageEdits.mts';

process.chdir(new URL('../..', import.meta.url).pathname);
const changes = execSync('git status --porcelain', { encoding: 'utf8' });
if (changes !== '') throw new Error(`Commit or remove your changes first:\n${changes}`);

const { edits, commands } = readPage(readFileSync('CONTRIBUTING.md', 'utf8'));
for (const edit of edits) {
	const text = existsSync(edit.file) ? readFileSync(edit.file, 'utf8') : undefined;
	writeFileSync(edit.file, edited(text, edit));
}
execSync(`set -e\n${commands}`, { stdio: 'inherit' });
