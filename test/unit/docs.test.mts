/** The messages in docs/troubleshooting.md are those of the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string, suffix: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(suffix))
		.map((file) => join(folder, file));

describe('troubleshooting', () => {
	const source = ['credentials', 'nodes', 'client']
		.flatMap((folder) => filesIn(folder, '.ts'))
		.map(read)
		.join('\n');
	const page = read('docs/troubleshooting.md');
	const [ours = '', theirs = ''] = page.split("## n8n's own");
	const listed = (part: string) => [...part.matchAll(/^\| `([^`]+)` \|/gm)].map(([, one]) => one!);
	/** The fixed parts of a message, of which there is one at least. */
	const fixed = (message: string) =>
		message
			.split('…')
			.map((part) => part.replace(/^'|'$/g, '').trim())
			.filter((part) => part.length > 3);

	it.each(listed(ours))('has the words of the source: %s', (message) => {
		expect(fixed(message).length).toBeGreaterThan(0);
		const words = source.replaceAll("\\'", "'");
		for (const part of fixed(message)) expect(words).toContain(part);
	});

	it.each(listed(theirs))("has n8n's own words: %s", (message) => {
		const load = createRequire(import.meta.url);
		const words = ['n8n-core', 'n8n-workflow']
			.map((name) => dirname(load.resolve(name)))
			.flatMap((folder) =>
				readdirSync(folder, { recursive: true, encoding: 'utf8' })
					.filter((file) => file.endsWith('.js'))
					.map((file) => readFileSync(join(folder, file), 'utf8')),
			);
		expect(words.some((text) => text.includes(message))).toBe(true);
	});
});
