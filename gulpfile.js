/**
 * `gulp build` makes `dist`: what `tsc` compiles, and beside it the icons, codex files (`*.node.json`)
 * and output schemas, where n8n looks for them.
 *
 * It builds in a new folder and moves file after file into `dist`, so that other commands may use
 * `dist` meanwhile, and a build that fails leaves it as it was. It does nothing when `dist` was built
 * from the same sources.
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
// The lock file holds the version of the compiler.
const settings = ['gulpfile.js', 'tsconfig.json', 'package-lock.json'];
const stamp = 'dist/.built-from';
/** Written in Go. What reads types as a library, such as ESLint, needs version 6. */
const compiler = 'node_modules/typescript-7/bin/tsc';

exports.build = async () => {
	const wanted = await hash(globSync([code, ...assets, ...settings]).sort());
	if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
	await mkdir('node_modules/.cache', { recursive: true });
	const made = await mkdtemp('node_modules/.cache/build-');
	try {
		await compile(made);
		// Without `encoding: false` gulp 5 reads every file as UTF-8 text, which ruins anything binary.
		await finished(src(assets, { base: '.', encoding: false }).pipe(dest(made)).resume());
		await rm(stamp, { force: true });
		await replaceFiles('dist', made);
		await writeFile(stamp, wanted);
	} finally {
		await rm(made, { recursive: true, force: true });
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

/** Moves all files of a folder into another, and removes what that one has besides. */
async function replaceFiles(folder, made) {
	const files = await filesOf(made);
	for (const file of files) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await rename(join(made, file), join(folder, file));
	}
	const kept = new Set(files);
	const old = (await filesOf(folder)).filter((file) => !kept.has(file));
	for (const file of old) await rm(join(folder, file), { force: true });
}

async function filesOf(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
