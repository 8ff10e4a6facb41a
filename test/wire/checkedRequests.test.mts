/** What checking the result of an assumed request costs, at a service with the names of this package. */
import { describe, expect, it } from 'vitest';
import { restoredService } from './account.mts';
import {
	accepted,
	changesAt,
	failureOf,
	itemChanges,
	placesAt,
	proposalId,
	type Places,
} from './itemChanges.mts';

describe('the names of this package', () => {
	const service = restoredService();
	const valid = (places: Places): Record<string, object> => ({
		...Object.fromEntries(Object.entries(itemChanges).map(([name, of]) => [name, of(places)[0]])),
		'item.update': { itemId: places.second.id, updateFields: { quantity: 4 } },
	});
	const names = [...Object.keys(itemChanges), 'item.update'];

	/** A deletion reads the items before it, to see that no others go. */
	const requestsOf = (name: string) => (name === 'item.delete' ? ['GET', 'DELETE'] : ['POST']);

	it.each(names)(
		'needs no further request where the response is the proposal: %s',
		async (name) => {
			const parameters = valid(await placesAt(service))[name];
			await service.run(name, { proposalId, ...parameters });
			expect(service.control.requests.map(({ method }) => method)).toEqual(requestsOf(name));
		},
	);

	it.each(names)('checks by one read where the response of %s is none', async (name) => {
		const places = await placesAt(service);
		const [expected] = await service.run(name, { proposalId, ...valid(places)[name] });
		const text = { headers: { 'Content-Type': 'text/plain' }, body: 'Done' };
		for (const answer of [
			{ status: 204, body: '' },
			{ status: 200, ...text },
		]) {
			service.control.restoreState();
			const again = valid(await placesAt(service))[name];
			const operationId = name === 'item.update' ? 'item.updateQuantity' : name;
			service.control.failNext({ operationId, when: 'after', ...answer });
			const [output] = await service.run(name, { proposalId, ...again });
			expect(Object.keys(output!).filter((one) => one !== 'message')).toEqual(
				Object.keys(expected!),
			);
			expect(service.control.requests.map(({ method }) => method)).toEqual([
				...requestsOf(name),
				'GET',
			]);
		}
	});

	it.each(
		['item.delete', 'item.move'].flatMap((name) => [
			[name, 'done', []],
			[name, 'not done', [{ id: 1, name: 'Den', options: [{ id: 2, items: [] }] }]],
		]) as [string, string, object[]][],
	)(
		'checks by one read where the proposal in the response of %s, %s, shows no items',
		async (name, outcome, areas) => {
			const parameters = valid(await placesAt(service))[name];
			service.control.failNext({
				...{ operationId: name, status: 200, body: { id: proposalId, number: 1021, areas } },
				when: outcome === 'done' ? 'after' : 'before',
			});
			const run = service.run(name, { proposalId, ...parameters });
			if (outcome === 'done') expect(await run).toHaveLength(1);
			else await expect(run).rejects.toThrow(accepted);
			expect(service.control.requests.map(({ method }) => method)).toEqual([
				...requestsOf(name),
				'GET',
			]);
		},
	);

	it('says that a change was accepted where the proposal cannot be read afterwards', async () => {
		const { first } = await placesAt(service);
		service.control.failNext({ operationId: 'item.replace', when: 'after', status: 204, body: '' });
		service.control.failNext({ operationId: 'proposal.get', status: 403 });
		const { message, description } = await failureOf(service, 'item.replace', {
			itemId: first.id,
			catalogItemId: 9003,
		});
		expect(message).toBe('This Portal.io user does not have permission to do this');
		expect(description).toMatch(
			/^Injected by a test.*\nPortal\.io accepted the request, but the change could not be confirmed.*\n.*Ask the admin/s,
		);
	});

	it.each([
		['something else comes than the proposal', { maintenance: true }],
		['a proposal comes without its number', { id: proposalId, areas: [] }],
	])('takes nothing for done where %s', async (_, body) => {
		const { first } = await placesAt(service);
		service.control.failNext({ operationId: 'item.replace', when: 'after', status: 204, body: '' });
		service.control.failNext({ operationId: 'proposal.get', status: 200, body, times: 2 });
		const { message, description } = await failureOf(service, 'item.replace', {
			itemId: first.id,
			catalogItemId: 9003,
		});
		expect(message).toBe('Unexpected response: Portal.io did not return a proposal');
		expect(description).toMatch(
			/^Portal\.io accepted the request, but the change could not be confirmed.*\nIt returned an object with/,
		);
		service.control.clearFaults();
	});

	it('switches no combined price where something else comes than the proposal', async () => {
		const { first } = await placesAt(service);
		const body = { maintenance: true };
		service.control.failNext({ operationId: 'proposal.get', status: 200, body });
		const updateFields = { isCombinedPrice: true };
		await failureOf(service, 'item.update', { itemId: first.id, updateFields });
		expect(changesAt(service)).toEqual([]);
	});

	it('switches a combined price only where it is not as wanted, and never twice', async () => {
		const { first } = await placesAt(service);
		const update = async (isCombinedPrice: boolean) =>
			await service.run('item.update', {
				proposalId,
				itemId: first.id,
				updateFields: { isCombinedPrice },
				simplify: false,
			});
		const sent = () => {
			const methods = service.control.requests.map(({ method }) => method);
			service.control.clearRequests();
			return methods;
		};
		await update(true);
		expect(sent()).toEqual(['GET', 'POST']);
		const [proposal] = await update(true);
		expect(proposal).toMatchObject({ id: proposalId, areas: expect.any(Array) });
		expect(sent()).toEqual(['GET']);
		service.control.failNext({ operationId: 'item.updateCombinedPrice', status: 504, times: 9 });
		await expect(update(false)).rejects.toThrow('Portal.io could not process the request');
		expect(sent()).toEqual(['GET', 'POST']);
		service.control.clearFaults();
	});
});
