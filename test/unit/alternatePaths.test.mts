/** The memory of the paths of an operation that has several. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onAnyPath } from '../../client/request.ts';
import { PortalError } from '../../client/errors.ts';

it('begins at the path that worked for the same route, with any IDs', async () => {
	const address = `https://${randomUUID()}.example.com`;
	const ask = async (route: (end: string) => string, baseUrl = address) => {
		const asked: string[] = [];
		const [path, other] = [route(''), route('/new')] as const;
		const request = { method: 'GET', path, alternates: [{ path: other }] } as const;
		await onAnyPath(baseUrl, { ...request, alternates: [...request.alternates] }, async (one) => {
			asked.push(one.path);
			if (one.path === path)
				throw new PortalError('', { facts: { status: '404', isMissingRoute: true } });
			return {};
		});
		return asked;
	};
	const item = (id: number) => (end: string) => `/items/${id}/lines${end}`;
	expect(await ask(item(1))).toEqual(['/items/1/lines', '/items/1/lines/new']);
	expect(await ask(item(234))).toEqual(['/items/234/lines/new']);
	// Another route, and another service.
	expect(await ask((end) => `/items/1/notes${end}`)).toHaveLength(2);
	expect(await ask(item(1), `${address}/v2`)).toHaveLength(2);
});
