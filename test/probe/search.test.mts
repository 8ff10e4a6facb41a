import { afterEach, describe, expect, test } from 'vitest';
import type { Correction } from '../../probe/model.mts';
import type { Trial } from '../../probe/trial.mts';
import type { Rules } from './smallService.mts';
import { ADD, COPY, ids, INNER, MOVE, QUANTITY, service, start, stop, trialOf } from './trials.mts';
import { add, copy, move, quantity } from './trials.mts';

afterEach(stop);

describe('an endpoint that does what the package expects', () => {
	test.each<[string, () => Trial, Rules]>([
		['a number', quantity, QUANTITY],
		['a list', move, MOVE],
		['entries of a list', add, ADD],
		['a service that refuses what it does not know', add, { ...ADD, isStrict: true }],
		['names in another case', quantity, { ...QUANTITY, names: { Quantity: 'QUANTITY' } }],
	])('is confirmed after one request: %s', async (_title, trial, rules) => {
		const probe = await start(rules);
		const given = trial();
		expect(await probe.try(given)).toMatchObject({ status: 204 });
		const report = probe.endpoints.get(given.operation)!;
		expect(report).toMatchObject({ verdict: 'confirmed' });
		expect(report).not.toHaveProperty('correction');
		expect(service.bodies).toHaveLength(1);
	});
});

const OTHER_MOVE = { ProposalItemIds: 'ItemIds', AreaOptionId: 'TargetAreaOptionId' };
const OTHER_ADD = {
	AreaOptionId: 'OptionId',
	Items: 'ProposalItems',
	...INNER,
	'Items[].itemId': 'catalogItemId',
	'Items[].quantity': 'qty',
};

describe('an endpoint that wants something else', () => {
	test.each<[string, () => Trial, Rules, Correction]>([
		[
			'a name that no table has, where the validation names it',
			quantity,
			{ ...QUANTITY, names: { Quantity: 'HowMany' } },
			{ format: 'form', names: { Quantity: 'HowMany' } },
		],
		[
			'names that the validation tells step by step',
			add,
			{ ...ADD, names: { ...OTHER_ADD, 'Items[].itemId': 'thingId' } },
			{
				format: 'form',
				names: {
					AreaOptionId: 'OptionId',
					Items: 'ProposalItems',
					'Items[].itemId': 'thingId',
					'Items[].quantity': 'qty',
				},
			},
		],
		[
			'a name that no table has, where the validation names it to an empty request alone',
			quantity,
			{ ...QUANTITY, names: { Quantity: 'HowMany' }, errors: 'fields when empty' },
			{ format: 'form', names: { Quantity: 'HowMany' } },
		],
		[
			'another name, where errors name nothing',
			quantity,
			{ ...QUANTITY, names: { Quantity: 'Count' }, errors: 'plain' },
			{ format: 'form', names: { Quantity: 'Count' } },
		],
		[
			'two other names, where errors name nothing',
			move,
			{ ...MOVE, names: OTHER_MOVE, errors: 'plain' },
			{ format: 'form', names: OTHER_MOVE },
		],
		[
			'one of two names, where nothing is validated',
			move,
			{ ...MOVE, names: { ...MOVE.names, ProposalItemIds: 'Ids' }, errors: 'none' },
			{ format: 'form', names: { ProposalItemIds: 'Ids' } },
		],
		[
			'names in entries of a list, where errors name nothing',
			add,
			{ ...ADD, names: OTHER_ADD, errors: 'plain' },
			{
				format: 'form',
				names: {
					AreaOptionId: 'OptionId',
					Items: 'ProposalItems',
					'Items[].itemId': 'catalogItemId',
					'Items[].quantity': 'qty',
				},
			},
		],
		['JSON', move, { ...MOVE, formats: ['json'] }, { format: 'json', names: {} }],
		[
			'JSON and other names in their own case, where errors name nothing',
			move,
			{
				...MOVE,
				formats: ['json'],
				names: { ProposalItemIds: 'itemIds', AreaOptionId: 'optionId' },
				errors: 'plain',
				isCaseSensitive: true,
			},
			{ format: 'json', names: { ProposalItemIds: 'itemIds', AreaOptionId: 'optionId' } },
		],
		[
			'commas',
			copy,
			{ ...COPY, lists: ['commas'] },
			{ format: 'form', names: {}, lists: 'commas' },
		],
		[
			'brackets and other names, where nothing is validated',
			copy,
			{
				...COPY,
				lists: ['brackets'],
				formats: ['form'],
				names: { ProposalItemIds: 'ItemIds', AreaOptionIds: 'OptionIds' },
				errors: 'none',
			},
			{
				format: 'form',
				names: { ProposalItemIds: 'ItemIds', AreaOptionIds: 'OptionIds' },
				lists: 'brackets',
			},
		],
		[
			'another name and nothing that it does not know, where errors name nothing',
			quantity,
			{ ...QUANTITY, names: { Quantity: 'Amount' }, isStrict: true, errors: 'plain' },
			{ format: 'form', names: { Quantity: 'Amount' } },
		],
		[
			'two other names and nothing that it does not know, where errors name nothing',
			move,
			{
				...MOVE,
				names: { ProposalItemIds: 'ItemIds', AreaOptionId: 'OptionId' },
				isStrict: true,
				errors: 'plain',
			},
			{ format: 'form', names: { ProposalItemIds: 'ItemIds', AreaOptionId: 'OptionId' } },
		],
		[
			'another name and nothing that it does not know, both named in errors',
			quantity,
			{ ...QUANTITY, names: { Quantity: 'HowMany' }, isStrict: true },
			{ format: 'form', names: { Quantity: 'HowMany' } },
		],
	])('gets exactly that correction: %s', async (_title, trial, rules, correction) => {
		const probe = await start(rules);
		const given = trial();
		expect(await probe.try(given)).toMatchObject({ status: 204 });
		const report = probe.endpoints.get(given.operation)!;
		expect(report).toMatchObject({ verdict: 'differs', correction });
		expect(report.correction).toEqual(correction);
		// The last request is the one that is reported.
		expect(await given.hasEffect!(service.effect, undefined as never)).toBe(true);
		service.effect = {};
		await probe.call(given.operation, ids, { ...given.values!(999) });
		expect(Object.keys(service.effect)).not.toHaveLength(0);
	});

	test.each<[string, Partial<Rules>, Correction]>([
		[
			'with a parameter of the former path as a field',
			{ names: { ClientDescription: 'ClientDescription', AreaId: 'AreaId' } },
			{ format: 'form', names: { AreaId: 'AreaId' } },
		],
		[
			'without one, in JSON',
			{ names: { ClientDescription: 'Text' }, formats: ['json'], errors: 'plain' },
			{ format: 'json', names: { ClientDescription: 'text' } },
		],
	])('at another path %s', async (_title, rules, correction) => {
		const probe = await start({
			...{ names: {}, path: '/public/proposals/:proposal/options/:option/text' },
			...rules,
		});
		const operation = 'areaOption.updateClientDescription';
		await probe.try({
			...trialOf(operation, (attempt) => ({ ClientDescription: `n8n probe ${attempt}` })),
			ids: { ProposalId: 1, AreaId: 2, OptionId: 3 },
			otherPaths: ['/public/nowhere', '/public/proposals/{ProposalId}/options/{OptionId}/text'],
		});
		expect(probe.endpoints.get(operation)).toMatchObject({
			verdict: 'differs',
			correction: {
				...correction,
				path: '/public/proposals/{ProposalId}/options/{OptionId}/text',
			},
		});
		expect(probe.endpoints.get(operation)!.correction!.names).toEqual(correction.names);
	});

	test('is sent the values that a document names for an enumeration', async () => {
		const probe = await start({
			path: '/public/people',
			names: {},
			answer: (request, response) => {
				const sent = Object.fromEntries(new URLSearchParams(String(request.body)));
				service.effect = sent.PartyType === 'Individual' ? sent : {};
				response.status(service.effect === sent ? 204 : 400).end();
			},
		});
		await probe.try({
			...trialOf('contact.create', (attempt) => ({
				PartyType: 'Person',
				ContactType: 'Client',
				FirstName: `n8n ${attempt}`,
			})),
			ids: {},
			otherValues: {
				PartyType: { Person: ['Individual'] },
				ContactType: { Client: ['Customer'], Other: ['Vendor'] },
				SortBy: { ModifiedDate: ['LastModifiedDate'] },
			},
			hasEffect: async ({ FirstName }) => service.effect.FirstName === FirstName,
		});
		expect(probe.endpoints.get('contact.create')!.correction).toEqual({
			format: 'form',
			names: {},
			values: { PartyType: { Person: 'Individual' } },
		});
	});
});

describe('what one endpoint has taught', () => {
	test('is what the next one is asked with first', async () => {
		const probe = await start({
			...MOVE,
			path: '/public/proposals/:proposal/items{/:more}',
			names: { ProposalItemIds: 'ItemIds', AreaOptionId: 'AreaOptionId' },
			required: ['ProposalItemIds'],
			formats: ['json'],
			errors: 'plain',
		});
		await probe.try(move());
		const before = service.bodies.length;
		await probe.try(trialOf('item.refreshCosts', (attempt) => ({ ProposalItemIds: [attempt, 5] })));
		expect(probe.endpoints.get('item.refreshCosts')!.correction).toEqual({
			format: 'json',
			names: { ProposalItemIds: 'itemIds' },
		});
		expect(service.bodies.length - before).toBeLessThan(before);
	});
});
