/**
 * Installs what the lock file of the current folder says: `node dev/scripts/packages.mjs [--ignore-scripts]`.
 *
 * Bun takes a tenth of npm's time for n8n's 1,800 packages, and runs install scripts only of what
 * package.json names as trusted. npm does it where Bun cannot. This runs on Node 20, and before
 * anything is installed (install.mjs).
 */
import { spawnSync } from 'node:child_process';

const BUN = 'bun@1.4.5';

/** Nothing is asked, and only problems are shown. */
const run = (command, args) =>
	spawnSync(command, [...args, ...process.argv.slice(2)], {
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
	}).status === 0;

const isInstalled =
	run('npx', ['--yes', BUN, 'install', '--frozen-lockfile', '--linker=hoisted', '--no-progress']) ||
	run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
process.exitCode = isInstalled ? 0 : 1;
