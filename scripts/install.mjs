/**
 * Installs what is missing before a script runs, so that every command works from a fresh clone.
 *
 * It runs on whatever Node the machine has (20 or later) and uses nothing but Node itself: the
 * project's own Node 24 arrives with what it installs, and npm puts that one first on the PATH of
 * every script. A stamp with the lock file's hash tells a finished install from an interrupted one.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed');
const wanted = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
	console.log('Installing the development tools (one to two minutes)…');
	const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (install.status !== 0) process.exit(install.status ?? 1);
	writeFileSync(stamp, wanted);
}
