/**
 * `npm run setup`: installs what is missing. Every other script of package.json starts with it, so
 * that each works in a fresh clone.
 *
 * It runs on whatever Node the machine has (20 or later) and needs nothing else. What it installs
 * includes the project's own Node 24, which npm puts first on the PATH of scripts. It is a script of
 * its own because a shell remembers where it found `node`: after `node dev/scripts/install.mjs` the same
 * shell would go on with the old one. The stamp holds the hash of the lock file, and is written only
 * when an install has finished.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const stamp = join(root, 'node_modules', '.installed');
const wanted = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
	console.log('Installing the development tools (half a minute)…');
	// Removed and not overwritten: copies of this folder may be hard links to it.
	rmSync(stamp, { force: true });
	const packages = join(root, 'dev/scripts/packages.mjs');
	const install = spawnSync(process.execPath, [packages], { cwd: root, stdio: 'inherit' });
	if (install.status !== 0) process.exit(install.status ?? 1);
	writeFileSync(stamp, wanted);
}
