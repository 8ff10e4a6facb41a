/** The requests of operations with several, by the service's responses. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { callOf } from '../../nodes/PortalIo/run/call.ts';
import { playedSession, Refusal } from './playedSession.mts';

const at = '/public/proposals/42';

/**
 * Runs an operation against responses by request, such as `GET /public/proposals/42`. One that is not
 * among them is empty; a list of responses gives one after the other, and then the last one again.
 */
async function run(operation: string, values: object, responses: Record<string, unknown>) {
	const sent: string[] = [];
	const said: string[] = [];
	const { session, context } = playedSession(
		({ method, url }) => {
			const request = `${method} ${url.split('?')[0]}`;
			sent.push(request);
			const response = request in responses ? responses[request] : '';
			return Array.isArray(response) && response.length > 1
				? response.shift()
				: [response].flat()[0];
		},
		{
			addExecutionHints: ({ message }: { message: string }) => said.push(message),
			logger: { warn: () => {} },
		},
	);
	const given = { additionalFields: {}, options: {}, filters: {}, sort: {}, ...values };
	const call = callOf(context, session, given as never);
	const ended = await findOperation('proposal', operation)!
		.run(call)
		.then(({ records }) => (operation === 'getMany' ? records : records[0]))
		.catch((error: Error) => error);
	return { ended: ended as IDataObject & IDataObject[] & Error, sent, said };
}

describe('the creation of a proposal', () => {
	const withContact = { salesPersonId: 3, additionalFields: { contactId: 7 } };

	it.each([[null], [''], ['Done'], [{}], [{ id: 0 }], [{ id: -1 }], [{ id: 1.5 }]])(
		'assigns nothing to a proposal that the response does not name: %j',
		async (created) => {
			const { ended, sent } = await run('create', withContact, {
				'POST /public/proposals': created,
			});
			expect(ended).toMatchObject({
				message: 'Portal.io did not return the ID of the new proposal',
				description:
					"The proposal was created, but is incomplete. Not sent: 'Contact'. Check in Portal.io before you run the step again.",
			});
			expect(sent).toEqual(['POST /public/proposals']);
		},
	);

	it.each([[null], [''], ['Done'], [{}], [{ id: 41 }]])(
		'reads the proposal where the response to an assignment is another: %j',
		async (response) => {
			const proposal = { id: 42, customer: { id: 7 } };
			const responses = {
				'POST /public/proposals': { id: 42 },
				[`POST ${at}/contact/7`]: response,
				[`GET ${at}`]: proposal,
			};
			expect((await run('create', withContact, responses)).ended).toEqual(proposal);
		},
	);

	it('returns the proposal as created if it cannot be read', async () => {
		const { ended } = await run('create', withContact, {
			'POST /public/proposals': { id: 42 },
			[`GET ${at}`]: new Refusal(500),
		});
		expect(ended).toEqual({ id: 42 });
	});

	it('names the proposal in a failure, below what the service says', async () => {
		const { ended } = await run('create', withContact, {
			'POST /public/proposals': { id: 42 },
			[`POST ${at}/contact/7`]: new Refusal(400, 'The contact is archived'),
		});
		expect(ended).toMatchObject({
			message:
				'The proposal was created (ID 42), but is incomplete: Portal.io did not accept the values of this request',
			description:
				"The contact is archived\nFailed: 'Contact'.\nRunning the step again would create another one. Complete this one instead.",
		});
	});
});

describe('a duplicate', () => {
	const item = { id: 91, itemType: 'Part', referencedItemId: 55, quantity: 2 };
	const option = { id: 11, clientDescription: 'In oak', items: [item] };
	const dealer = { salesperson: { id: 3 } };
	const source = {
		id: 1,
		number: 1001,
		dealer,
		areas: [{ id: 5, name: 'Den ', options: [option] }],
	};
	const areasOf = (...options: object[]) => ({
		id: 42,
		number: 1042,
		areas: [{ id: 8, name: 'Den', options }],
	});
	const copied = areasOf({ ...option, id: 21 });
	const duplicate = async (responses: object, original: object = source, values: object = {}) =>
		await run(
			'duplicate',
			{ proposalId: 1, ...values },
			{
				'GET /public/proposals/1': original,
				'POST /public/proposals': { id: 42, number: 1042, areas: [] },
				[`GET ${at}`]: copied,
				...responses,
			},
		);
	const existing = { options: { existingProposalId: 42 } };
	const changes = (sent: string[]) => sent.filter((one) => !one.startsWith('GET'));

	it.each([[null], [''], [{}], [{ id: 0 }], [{ id: 1.5 }]])(
		'copies nothing to a proposal that the response does not name: %j',
		async (made) => {
			const { ended, sent } = await duplicate({ 'POST /public/proposals': made });
			expect(ended.message).toBe('Portal.io did not return the ID of the new proposal');
			expect(changes(sent)).toEqual(['POST /public/proposals']);
		},
	);

	it.each([
		[{}, 'Portal.io did not return a proposal'],
		[{ id: 1, number: 1 }, 'The source proposal has no salesperson'],
		[{ id: 1, number: 1, dealer: {} }, 'The source proposal has no salesperson'],
	])('creates nothing where the original is %j', async (original, message) => {
		const { ended, sent } = await duplicate({}, original);
		expect(ended.message).toContain(message);
		expect(changes(sent)).toEqual([]);
	});

	it.each([
		['no client', {}, { customer: { id: 7, location: { id: 9 } } }, []],
		['a client without a site', { customer: { id: 7 } }, { customer: { id: 7 } }, []],
		[
			'a client that the copy does not have',
			{ customer: { id: 7, location: { id: 9 } } },
			{},
			['contact/7', 'location/9'],
		],
		[
			'a site that the copy does not have',
			{ customer: { id: 7, location: { id: 9 } } },
			{ customer: { id: 7 } },
			['location/9'],
		],
	])('assigns of an original with %s what the copy lacks', async (_, original, copy, assigned) => {
		const steps = assigned.length > 1 ? [{ ...copied, customer: { id: 7 } }] : [];
		const reads = [{ ...copied, ...copy }, ...steps, { ...copied, ...original }];
		const responses = { [`GET ${at}`]: reads };
		const { ended, sent } = await duplicate(responses, { ...source, ...original }, existing);
		expect(changes(sent)).toEqual(assigned.map((one) => `POST ${at}/${one}`));
		expect(ended).toHaveProperty('id', 42);
	});

	it.each([
		['is empty', ''],
		['is null', null],
		['is another record', { id: 21, areas: [] }],
		['is the proposal without its areas', { id: 42 }],
	])('reads the copy where the response to a change %s', async (_, response) => {
		const { ended, sent } = await duplicate({ [`POST ${at}/area`]: response }, source, {});
		expect(changes(sent)).toEqual(['POST /public/proposals', `POST ${at}/area`]);
		expect(ended).toEqual(copied);
	});

	it('reads the copy from the response to a change', async () => {
		const { sent } = await duplicate({ [`POST ${at}/area`]: copied });
		expect(sent).not.toContain(`GET ${at}`);
	});

	it('tries another path for the texts of an option if the first does not exist', async () => {
		const { sent } = await duplicate(
			{
				[`GET ${at}`]: [areasOf({ ...option, id: 21, clientDescription: '' }), copied],
				[`POST ${at}/area/8/option/21/clientdescription`]: new Refusal(404),
				[`POST ${at}/area-options/21/clientdescription`]: copied,
			},
			source,
			existing,
		);
		expect(changes(sent)).toEqual([
			`POST ${at}/area/8/option/21/clientdescription`,
			`POST ${at}/area-options/21/clientdescription`,
		]);
	});

	it('compares the options of an area in the order in which they were added', async () => {
		const options = [option, { id: 12, clientDescription: 'In ash', items: [] }];
		const original = { ...source, areas: [{ ...source.areas[0], options }] };
		const copy = areasOf({ ...options[1], id: 22 }, { ...option, id: 21 });
		const { sent, said } = await duplicate({ [`GET ${at}`]: copy }, original, existing);
		expect(changes(sent)).toEqual([]);
		expect(said).toEqual([
			'Proposal 1042 has all 1 areas, 2 options, 1 items. Not copied: internal notes, costs and suppliers.',
		]);
	});

	it.each([
		['once more, if that helps', [9, 10], ['sellprice', 'msrp', 'sellprice'], undefined],
		['no third time', [8, 10], ['sellprice', 'msrp', 'sellprice'], /did not set the 'Sell Price'/],
	])('sets a price that a new MSRP has changed %s', async (_, [price, msrp], sent, failure) => {
		const priced = (sellPrice: number, msrp: number, id: number) => ({
			...item,
			id,
			sellPrice,
			msrp,
		});
		const of = (one: object) => areasOf({ ...option, id: 21, items: [one] });
		const original = {
			...source,
			areas: [{ ...source.areas[0], options: [{ ...option, items: [priced(9, 10, 91)] }] }],
		};
		const reads = [of(priced(5, 5, 31)), of(priced(8, 10, 31)), of(priced(price!, msrp!, 31))];
		const { ended, sent: all } = await duplicate({ [`GET ${at}`]: reads }, original, existing);
		expect(changes(all)).toEqual(sent.map((one) => `POST ${at}/items/31/${one}`));
		if (failure) expect(ended.message).toMatch(failure);
		else expect(ended).toEqual(reads.at(-1));
	});

	it.each([
		[{ financialSummary: { partsDiscount: 5 } }, ', discount'],
		[{ paymentSchedule: { payments: [{ id: 1 }] } }, ', payment schedule'],
		[{ paymentSchedule: { payments: [] }, financialSummary: { partsDiscount: 0 } }, ''],
		[{ paymentSchedule: {}, financialSummary: {} }, ''],
	])('says what it does not copy of %j', async (original, left) => {
		const { said } = await duplicate({}, { ...source, ...original }, existing);
		expect(said[0]).toContain(`Not copied: internal notes, costs and suppliers${left}.`);
	});
});

describe('a list of proposals', () => {
	const listed = [4, 6, 5].map((id) => ({ id, number: id, lastModifiedDate: `2026-04-0${id}` }));
	const page = { people: [{ id: 1 }], proposals: listed, proposalCount: 3 };
	const list = { 'GET /public/proposals': page };
	const ids = (records: IDataObject[]) => records.map(({ id }) => id);

	it.each([
		['those that changed last first', { returnAll: true }, [6, 5, 4]],
		['as they are sorted', { returnAll: true, sort: { sortBy: 'Name' } }, [4, 6, 5]],
		['as they come', { limit: 3 }, [4, 6, 5]],
	])('gives proposals %s with %j', async (_, values, order) =>
		expect(ids((await run('getMany', values, list)).ended)).toEqual(order),
	);

	it.each([
		[new Refusal(500, 'Broken'), 'Portal.io could not process the request'],
		[new Refusal(404), 'This Portal.io endpoint does not exist'],
	])('fails where no proposal can be read in full: %o', async (refusal, message) => {
		const options = { includeDetails: true };
		const failing = { ...list, 'GET /public/proposals/4': refusal };
		const { ended } = await run('getMany', { limit: 1, options }, failing);
		expect(ended.message).toContain(message);
	});

	it('leaves out deleted proposals, and returns as listed those that may not be read', async () => {
		const { ended, said } = await run(
			'getMany',
			{ limit: 3, options: { includeDetails: true } },
			{
				...list,
				'GET /public/proposals/4': new Refusal(404, 'Not there'),
				'GET /public/proposals/5': new Refusal(403, 'Not yours'),
				'GET /public/proposals/6': { id: 6, areas: [] },
			},
		);
		expect(ended).toEqual([{ id: 6, areas: [] }, listed[2]]);
		expect(said).toEqual([
			expect.stringMatching(/^Proposal #4 is left out: /),
			expect.stringMatching(/^Proposal #5 is returned as it was listed: /),
		]);
	});
});
