import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/actions/registry.ts';

it('the README lists every operation, in the order of the editor', () => {
	const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
	const table = /<!-- operations:[^]*?-->\n([^]*?)<!-- operations end -->/.exec(readme)?.[1] ?? '';
	const rows = table
		.trim()
		.split('\n')
		.slice(2)
		.map((row) =>
			row
				.split('|')
				.map((cell) => cell.trim())
				.slice(1, 5),
		);
	const declared = Object.values(registry).flatMap(({ name, operations }) =>
		Object.values(operations).map(({ name: operation, description, mark }) => [
			name,
			operation,
			description,
			mark === 'assumed' ? 'assumed' : '',
		]),
	);
	expect(rows, 'run `npm run docs`').toEqual(declared);
});
