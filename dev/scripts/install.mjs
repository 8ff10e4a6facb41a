/**
 * Implements `npm run setup`, which installs whatever is missing. Every other script in package.json starts
 * with it, so each works in a fresh clone.
 *
 * It runs on the machine's own Node (20 or later) without other requirements. It installs, among other things,
 * the project's Node 24, which npm puts first on the PATH of scripts. It is a separate script because a shell
 * caches the location of `node`: after `node dev/scripts/install.mjs`, the same shell would continue with the
 * old Node. The stamp contains the lock file's hash, and is only written after a complete install.
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
	// Remove the file instead of overwriting it, because a copy of this folder can contain a hard link to it.
	rmSync(stamp, { force: true });
	const packages = join(root, 'dev/scripts/packages.mjs');
	const install = spawnSync(process.execPath, [packages], { cwd: root, stdio: 'inherit' });
	if (install.status !== 0) process.exit(install.status ?? 1);
	writeFileSync(stamp, wanted);
}
