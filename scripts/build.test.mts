/** `npm run build` in a small package with this one's settings. */
import { execa } from 'execa';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { pathWithNode } from '../testbed/commands.mts';
import { root } from '../testbed/paths.mts';

async function makePackage() {
	const folder = await mkdtemp(join(tmpdir(), 'build-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
	for (const file of ['gulpfile.js', 'tsconfig.json', 'package-lock.json']) {
		await copyFile(join(root, file), join(folder, file));
	}
	for (const name of ['client', 'icons', 'nodes']) await mkdir(join(folder, name));
	await writeFile(join(folder, 'icons/icon.svg'), '<svg/>');
	const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	// All is installed, and npm would change the packages of this clone.
	const command = scripts.build.replace('npm run --silent setup && ', '');
	const PATH = `${join(root, 'node_modules/.bin')}:${pathWithNode()}`;
	return {
		path: (file: string) => join(folder, file),
		write: (text: string) => writeFile(join(folder, 'client/text.ts'), text),
		build: () => execa('sh', ['-c', command], { cwd: folder, env: { PATH }, reject: false }),
	};
}

test('keeps every file of the build in place while two commands build again', async () => {
	const { path, write, build } = await makePackage();
	await write("export const text = 'old';");
	await writeFile(path('client/gone.ts'), 'export const gone = true;');
	expect((await build()).failed).toBe(false);

	await write("export const text = 'new';");
	await rm(path('client/gone.ts'));
	let isBuilding = true;
	const builds = Promise.all([build(), build()]).finally(() => (isBuilding = false));
	const seen = new Set<string>();
	while (isBuilding) {
		const [script, icon] = await Promise.all(
			['dist/client/text.js', 'dist/icons/icon.svg'].map((file) =>
				readFile(path(file), 'utf8').catch(() => 'missing'),
			),
		);
		seen.add(script!.match(/old|new/)?.[0] ?? 'incomplete').add(icon!);
		await setImmediate();
	}

	expect((await builds).map(({ failed }) => failed)).toEqual([false, false]);
	expect(seen).toEqual(new Set(['old', 'new', '<svg/>']));
	await expect(stat(path('dist/client/gone.js'))).rejects.toThrow('ENOENT');
});

test('leaves the build alone when it is current, and when the sources do not compile', async () => {
	const { path, write, build } = await makePackage();
	await write('export const count = 1;');
	await build();
	const { ctimeMs } = await stat(path('dist/client/text.js'));

	await build();
	expect((await stat(path('dist/client/text.js'))).ctimeMs).toBe(ctimeMs);

	await write("export const count: number = 'two';");
	const { failed, stdout, stderr } = await build();
	expect(failed).toBe(true);
	expect(stdout + stderr).toContain('client/text.ts(1,14): error TS2322');
	expect((await stat(path('dist/client/text.js'))).ctimeMs).toBe(ctimeMs);
});
