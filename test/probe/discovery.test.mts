import { describe, expect, test } from 'vitest';
import type { DiscoveryPage } from '../../simulator/otherService/settings.mts';
import { startSimulator, type Settings } from '../../simulator/index.mts';
import { probeOf } from './probing.mts';

describe('a service that describes itself', () => {
	async function discover(service: Settings['service']) {
		const simulator = await startSimulator({ service });
		const probe = probeOf(simulator.url);
		await probe.service.logIn();
		await probe.discover();
		await simulator.stop();
		return { probe, fact: probe.facts.discovery as Record<string, unknown> };
	}

	const PAGES: DiscoveryPage[] = [
		'/metadata',
		'/types/typescript',
		'/types/metadata',
		'/openapi',
		'/swagger.json',
	];

	test.each(PAGES)('as the contract says has no difference: %s', async (page) => {
		const { fact } = await discover({ discovery: { pages: [page] } });
		expect(fact).toMatchObject({ source: page, differences: {}, undescribed: [], others: [] });
		expect(fact.pages).toEqual({
			...Object.fromEntries(PAGES.map((one) => [one, 'no'])),
			[page]: 'unsigned',
		});
	});

	test.each(PAGES)('differently is compared to the last field: %s', async (page) => {
		const { fact } = await discover({
			discovery: { pages: [page], isSigned: true },
			names: { 'item.add': { 'Items[].itemId': 'partNumber' } },
			paths: { 'item.updateCost': '/public/items/{ProposalItemId}/costs' },
			answers: { 'user.getMany': { rename: { 'users.email': 'mail' } } },
		});
		const differences = fact.differences as Record<string, unknown>;
		const folded = JSON.parse(JSON.stringify(differences).toLowerCase());
		expect(folded).toEqual({
			'item.add': {
				request: { added: ['items[].partnumber'], absent: ['items[].itemid'], types: [] },
			},
			'user.getmany': {
				response: { added: ['users[].mail'], absent: ['users[].email'], types: [] },
			},
		});
		expect(fact).toMatchObject({
			undescribed: ['item.updateCost'],
			others: ['POST /public/items/{ProposalItemId}/costs'],
		});
		expect((fact.pages as Record<string, string>)[page]).toBe('signed');
	});

	test('nowhere has nothing to compare', async () => {
		const { fact, probe } = await discover({});
		expect(fact).toEqual({ pages: Object.fromEntries(PAGES.map((one) => [one, 'no'])) });
		expect(probe.hints.described).toEqual([]);
	});
});
