/**
 * Implements `gulp build`, which creates `dist`: the code that `tsc` compiles, and the icons, codex files
 * (`*.node.json`), and output schemas, where n8n looks for them.
 *
 * It builds in a new folder and moves each file into `dist`, so other commands can use `dist` during a build, and a
 * failed build doesn't change it. It does nothing if `dist` was built from the same sources.
 */
const { execFile } = require('node:child_process');
const { createHash } = require('node:crypto');
const { globSync } = require('node:fs');
const { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } = require('node:fs/promises');
const { dirname, join, relative } = require('node:path');
const { finished } = require('node:stream/promises');
const { promisify } = require('node:util');
const { dest, src } = require('gulp');

const code = '{client,credentials,nodes}/**/*.ts';
const assets = [
	'icons/**/*.svg',
	'nodes/**/*.svg',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];
// The lock file contains the compiler's version.
const settings = ['gulpfile.js', 'tsconfig.json', 'package-lock.json'];
const stamp = 'dist/.built-from';
/** TypeScript 7, which is written in Go. Tools that use it as a library, such as ESLint, need version 6. */
const compiler = 'node_modules/typescript-7/bin/tsc';

exports.build = async () => {
	const sourceHash = await hash(globSync([code, ...assets, ...settings]).sort());
	if ((await readFile(stamp, 'utf8').catch(() => '')) === sourceHash) return;
	await mkdir('node_modules/.cache', { recursive: true });
	const buildFolder = await mkdtemp('node_modules/.cache/build-');
	try {
		await compile(buildFolder);
		// Without `encoding: false`, gulp 5 reads every file as UTF-8 text, which corrupts binary files.
		await finished(src(assets, { base: '.', encoding: false }).pipe(dest(buildFolder)).resume());
		await rm(stamp, { force: true });
		await replaceFiles('dist', buildFolder);
		await writeFile(stamp, sourceHash);
	} finally {
		await rm(buildFolder, { recursive: true, force: true });
	}
};

async function hash(files) {
	const sum = createHash('sha256');
	for (const file of files) sum.update(`${file}\0`).update(await readFile(file));
	return sum.digest('hex');
}

async function compile(folder) {
	await promisify(execFile)('node', [compiler, '--outDir', folder]).catch(({ stdout, message }) => {
		throw new Error(stdout || message);
	});
}

/** Moves a folder's files into another folder, and removes all other files there. */
async function replaceFiles(folder, buildFolder) {
	const files = await listFiles(buildFolder);
	for (const file of files) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await rename(join(buildFolder, file), join(folder, file));
	}
	const current = new Set(files);
	const old = (await listFiles(folder)).filter((file) => !current.has(file));
	for (const file of old) await rm(join(folder, file), { force: true });
}

async function listFiles(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
