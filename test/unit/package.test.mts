/** What n8n and npm read of the package. */
import { readdirSync, readFileSync } from 'node:fs';
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
});
