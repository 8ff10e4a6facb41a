/** What n8n and npm read of the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const sources = ['credentials', 'nodes', 'client'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

describe('the package', () => {
	it('brings no runtime dependency, and takes n8n-workflow from n8n', () => {
		expect(manifest.dependencies ?? {}).toEqual({});
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.n8n.strict).toBe(true);
	});

	it('imports nothing at run time but n8n-workflow, node:crypto and itself', () => {
		for (const file of sources) {
			const imports = [...read(file).matchAll(/\bfrom '([^']+)'|\brequire\('([^']+)'\)/g)];
			for (const [, imported, required] of imports) {
				expect(imported ?? required, file).toMatch(/^(n8n-workflow|node:crypto|\.{1,2}\/.*)$/);
			}
		}
	});

	it('points client/ at nothing of nodes and credentials', () => {
		for (const file of sources.filter((one) => one.startsWith('client'))) {
			expect(/from '(\.\.\/)+(nodes|credentials)\//.test(read(file)), file).toBe(false);
		}
	});

	it('names every node and credential that exists', () => {
		const built = (suffix: string) =>
			sources
				.filter((file) => file.endsWith(suffix))
				.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`)
				.sort();
		expect([...manifest.n8n.nodes].sort()).toEqual(built('.node.ts'));
		expect(manifest.n8n.credentials).toEqual(built('.credentials.ts'));
		for (const node of manifest.n8n.nodes as string[]) {
			expect(existsSync(join(root, node.replace('dist/', '').replace('.js', '.json')))).toBe(true);
		}
	});

	it('is found by the aliases of its trigger, which n8n shows below the entry of the node', () => {
		const aliases = (node: string) => JSON.parse(read(`nodes/${node}/${node}.node.json`)).alias;
		expect(aliases('PortalIo')).toEqual(expect.arrayContaining(aliases('PortalIoTrigger')));
	});

	it.each(['package-lock.json', 'testbed/installation/package-lock.json'])(
		'%s names no registry',
		(lock) => expect(/"resolved":\s*"https?:/.test(read(lock))).toBe(false),
	);

	it('keeps files short', () => {
		for (const file of sources)
			expect(read(file).split('\n').length, file).toBeLessThanOrEqual(300);
	});
});
