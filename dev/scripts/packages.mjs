/**
 * Installs the current folder's lock file: `node dev/scripts/packages.mjs [--ignore-scripts]`.
 *
 * For n8n's 1,800 packages, Bun takes a tenth of npm's time, and runs only the install scripts of packages that
 * package.json lists as trusted. Falls back to npm where Bun doesn't work. This runs on Node 20, before
 * anything is installed (install.mjs).
 */
import { spawnSync } from 'node:child_process';

const BUN = 'bun@1.4.5';

/** Runs a command without input, and prints only its errors. Returns whether it succeeded. */
const run = (command, args) =>
	spawnSync(command, [...args, ...process.argv.slice(2)], {
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
	}).status === 0;

const isInstalled =
	run('npx', ['--yes', BUN, 'install', '--frozen-lockfile', '--linker=hoisted', '--no-progress']) ||
	run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
process.exitCode = isInstalled ? 0 : 1;
