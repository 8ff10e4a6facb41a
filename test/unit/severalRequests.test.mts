/** Tests operations that send several requests. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { CallLog, createCall } from '../../nodes/PortalIo/run/call.ts';
import { playedSession, Refusal } from './playedSession.mts';

const at = '/public/proposals/42';

/** Runs an operation with `responses` by method and path. A list contains the responses to successive requests. */
async function run(operation: string, values: object, responses: Record<string, unknown>) {
	const sent: string[] = [];
	const { session, context } = playedSession(
		({ method, url }) => {
			const request = `${method} ${url.split('?')[0]}`;
			sent.push(request);
			const response = request in responses ? responses[request] : '';
			return Array.isArray(response) && response.length > 1
				? response.shift()
				: [response].flat()[0];
		},
		{ logger: { warn: () => {} } },
	);
	const given = { additionalFields: {}, options: {}, filters: {}, sort: {}, ...values };
	const hints = new Map<string, 'info' | 'warning'>();
	const call = createCall({ context, hints }, session, new CallLog(), given as never, Infinity);
	const ended = await findOperation('proposal', operation)!
		.run(call)
		.then((records) => (operation === 'getMany' ? records : records[0]))
		.catch((error: Error) => error);
	const said = [...hints.keys()];
	return { ended: ended as IDataObject & IDataObject[] & Error, sent, said };
}

/** Responses to a creation that lack a valid ID of the new proposal. */
const nameless = [null, '', 'Done', {}, { id: 0 }, { id: -1 }, { id: 1.5 }];

describe('proposal.create', () => {
	const create = async (responses: object, locationId?: number) =>
		await run(
			'create',
			{ salesPersonId: 3, additionalFields: { contactId: 7, locationId } },
			{ 'POST /public/proposals': { id: 42 }, ...responses },
		);
	const ASSIGN = `POST ${at}/contact/7`;

	it.each(nameless)(
		'fails after a creation whose response is %j, and sends no further request',
		async (created) => {
			for (const [locationId, labels] of [
				[undefined, "'Contact'"],
				[9, "'Contact', 'Location'"],
			] as const) {
				const { ended, sent } = await create({ 'POST /public/proposals': created }, locationId);
				expect(ended).toMatchObject({
					message: 'Portal.io did not return the ID of the new proposal',
					description: `The proposal was created, but is incomplete. Not sent: ${labels}. Check in Portal.io before you run the step again.`,
				});
				expect(sent).toEqual(['POST /public/proposals']);
			}
		},
	);

	it('reads the proposal after an assignment unless the response contains it', async () => {
		const proposal = { id: 42, number: 1042, areas: [] };
		for (const response of [null, '', 'Done', {}, { ...proposal, id: 41 }, proposal]) {
			const { ended, sent } = await create({ [ASSIGN]: response, [`GET ${at}`]: proposal });
			expect(ended).toEqual({ ...proposal, reused: false });
			expect(sent.includes(`GET ${at}`)).toBe(response !== proposal);
		}
		const { ended, said } = await create({ [`GET ${at}`]: new Refusal(500) }, 9);
		expect(ended).toEqual({ id: 42, customer: { id: 7, location: { id: 9 } }, reused: false });
		expect(said).toEqual([
			'Proposal 42 was created and its client was assigned, but it could not be read again, so some output fields are missing: Portal.io could not process the request',
		]);
	});

	it('mentions the created proposal in the error of a failed assignment', async () => {
		const { ended } = await create({ [ASSIGN]: new Refusal(400, 'The contact is archived') }, 9);
		expect(ended).toMatchObject({
			message:
				'The proposal was created (ID 42), but is incomplete: Portal.io did not accept the values in this request',
			description:
				"The contact is archived\nFailed: 'Contact'. Not sent: 'Location'.\nRunning the step again would create another one. Complete this one instead.",
		});
		const doubt = 'Portal.io might have processed the request.';
		expect((await create({ [ASSIGN]: new Refusal(500) })).ended).toMatchObject({ doubt });
	});
});

describe('proposal.update', () => {
	it('lists the fields that an update did not set', async () => {
		const updateFields = { name: 'Lake House', salesPersonId: 3, description: 'Sound' };
		const responses = { [`POST ${at}`]: new Refusal(400) };
		const { ended } = await run('update', { proposalId: 42, updateFields }, responses);
		expect(ended).toMatchObject({
			description: expect.stringContaining(
				"Failed: 'Name', 'Salesperson'. Not sent: 'Description'.",
			),
		});
	});
});

const salesperson = { dealer: { salesperson: { id: 3 } } };
const source = { id: 1, number: 1001, areas: [], ...salesperson };
const item = { id: 91, itemType: 'Part', referencedItemId: 55, quantity: 2 };
const option = { id: 11, clientDescription: 'In oak', items: [item] };
const withDen = { ...source, areas: [{ id: 5, name: 'Den ', options: [option] }] };
const copied = (more: object = {}) => ({ id: 42, number: 1042, areas: [], ...more });
const copiedDen = (more: object = {}) =>
	copied({ areas: [{ id: 8, name: 'Den', options: [{ ...option, id: 21, ...more }] }] });
const copy = async (responses: object, original: object = source, values: object = {}) => {
	const all = {
		'GET /public/proposals/1': original,
		[`GET ${at}`]: copied(),
		'POST /public/proposals': copied(),
		...responses,
	};
	const { sent, ...others } = await run('duplicate', { proposalId: 1, ...values }, all);
	return { sent, changes: sent.filter((one) => !one.startsWith('GET')), ...others };
};
const client = { customer: { id: 7 } };

describe('proposal.duplicate', () => {
	it.each(nameless)(
		'fails if the response to the creation is %j, and makes no further change',
		async (made) => {
			const { ended, changes } = await copy({ 'POST /public/proposals': made });
			expect(ended.message).toBe('Portal.io did not return the ID of the new proposal');
			expect(changes).toEqual(['POST /public/proposals']);
		},
	);

	it.each([
		[{}, 'Portal.io did not return a proposal'],
		[{ id: 1, number: 1 }, 'The source proposal has no salesperson'],
		[{ id: 1, number: 1, dealer: {} }, 'The source proposal has no salesperson'],
	])('rejects the original %j', async (original, message) => {
		const { ended, changes } = await copy({}, original);
		expect(ended.message).toContain(message);
		expect(changes).toEqual([]);
	});

	it('suggests choosing a salesperson if the original has none', async () => {
		const { ended } = await copy({}, { id: 1, number: 1, dealer: {} });
		expect(ended.description).toBe(
			"Add 'Salesperson' under 'Additional Fields', then run the step again.",
		);
	});

	it('copies a proposal without a salesperson if one is chosen', async () => {
		const original = { id: 1, number: 1, dealer: {} };
		const values = { additionalFields: { salesPersonId: 302 } };
		const { changes } = await copy({}, original, values);
		expect(changes).toEqual(['POST /public/proposals']);
	});

	const site = { customer: { id: 7, location: { id: 9 } } };
	it.each([
		['no client', {}, []],
		['a client without a site', client, ['contact/7']],
		['a client with a site', site, ['contact/7', 'location/9']],
	])(
		'assigns the client and location of the original to its copy: %s',
		async (_, original, assigned) => {
			const responses = { [`GET ${at}`]: copied(original) };
			const { ended, changes } = await copy(responses, { ...source, ...original });
			expect(changes.slice(1)).toEqual(assigned.map((one) => `POST ${at}/${one}`));
			expect(ended).toHaveProperty('id', 42);
		},
	);

	it.each([
		[client, 'Portal.io did not assign the location'],
		[{}, 'Portal.io did not make 2 of the changes'],
	])(
		'fails if a copy with %j lacks the client or location of the original',
		async (assigned, message) => {
			const { ended } = await copy({ [`GET ${at}`]: copied(assigned) }, { ...source, ...site });
			expect(ended.message).toBe(`The copy (proposal ID 42) is incomplete: ${message}`);
		},
	);

	it('reads the copy if a response does not show it', async () => {
		const empty = copiedDen({ items: [] });
		for (const response of ['', null, { id: 21, areas: [] }, { id: 42 }]) {
			const changes = { [`POST ${at}/area`]: response, [`POST ${at}/items`]: response };
			const { ended, sent } = await copy(
				{ ...changes, [`GET ${at}`]: [empty, copiedDen(), copiedDen()] },
				withDen,
			);
			expect(ended).toEqual(copiedDen());
			expect(sent.filter((one) => one === `GET ${at}`)).toHaveLength(3);
		}
		const shown = { [`POST ${at}/area`]: empty, [`POST ${at}/items`]: copiedDen() };
		const { sent } = await copy({ ...shown, [`GET ${at}`]: copiedDen() }, withDen);
		expect(sent.filter((one) => one === `GET ${at}`)).toHaveLength(1);
	});

	it('reports that a copy could not be compared', async () => {
		const { ended } = await copy({ [`GET ${at}`]: new Refusal(500) });
		expect(ended.message).toMatch(
			/^The proposal was copied \(ID 42\), but could not be compared with its source: /,
		);
	});
});

describe('areaOption.update', () => {
	it("requests another path for an option's text if the first path does not exist", async () => {
		const paths = ['area/8/option/21', 'area-options/21'].map(
			(one) => `POST ${at}/${one}/clientdescription`,
		) as [string, string];
		const bare = { clientDescription: '' };
		const responses = {
			[`POST ${at}/area`]: copiedDen({ ...bare, items: [] }),
			[`POST ${at}/items`]: copiedDen(bare),
			[paths[0]]: new Refusal(404),
			[`GET ${at}`]: copiedDen(),
		};
		const { changes, ended } = await copy(responses, withDen);
		expect(changes.slice(3)).toEqual(paths);
		expect(ended).toEqual(copiedDen());
	});
});

describe('the hint from proposal.duplicate', () => {
	it.each([
		[{ financialSummary: { partsDiscount: 5 } }, 'costs, suppliers, and discount'],
		[{ paymentSchedule: { payments: [{ id: 1 }] } }, 'costs, suppliers, and payment schedule'],
		[
			{ paymentSchedule: { payments: [] }, financialSummary: { partsDiscount: 0 } },
			'costs, and suppliers',
		],
		[{ paymentSchedule: {}, financialSummary: {} }, 'costs, and suppliers'],
		[
			{ projectDescription: 'Sound' },
			'costs, suppliers, and some text, which Portal.io stores differently',
		],
	])('lists what was not copied: %j', async (original, left) => {
		const { said } = await copy({}, { ...source, ...original });
		expect(said).toEqual([
			`Copied to proposal 1042: 0 areas, 0 options, 0 items. Not copied: internal notes, ${left}.`,
		]);
	});

	it("mentions that an option's acceptance or rejection was not copied", async () => {
		const declined = { ...withDen.areas[0]!, options: [{ ...option, status: 'Declined' }] };
		const shown = {
			[`POST ${at}/area`]: copiedDen({ items: [] }),
			[`POST ${at}/items`]: copiedDen(),
			[`GET ${at}`]: copiedDen(),
		};
		const { said } = await copy(shown, { ...source, areas: [declined] });
		expect(said[0]).toContain(', and the accepted or declined status of options.');
	});
});

const listed = [4, 6, 5].map((id) => ({ id, number: id, lastModifiedDate: `2026-04-0${id}` }));
const page = { people: [{ id: 1 }], proposals: listed, proposalCount: 3 };
const list = async (values: object, responses: object = {}) =>
	await run('getMany', values, { 'GET /public/proposals': page, ...responses });
const options = { includeDetails: true };

describe('proposal.getMany', () => {
	it.each([
		['Portal.io could not process the request', new Refusal(500, 'Broken')],
		['This Portal.io endpoint does not exist', new Refusal(404)],
		['did not come from the Portal.io API', new Refusal(403)],
	])('fails if no proposal can be read in full: %s', async (message, refusal) => {
		const { ended } = await list({ limit: 1, options }, { 'GET /public/proposals/4': refusal });
		expect(ended.message).toContain(message);
	});

	it('leaves out deleted proposals, and returns forbidden ones without full details', async () => {
		const responses = {
			'GET /public/proposals/4': new Refusal(404, 'Not there'),
			'GET /public/proposals/5': new Refusal(403, 'Not yours'),
			'GET /public/proposals/6': { id: 6, areas: [] },
		};
		const { ended, said } = await list({ limit: 3, options }, responses);
		expect(ended).toEqual([{ id: 6, areas: [] }, listed[2]]);
		expect(said).toEqual([
			expect.stringMatching(/^Proposal #4 is left out: /),
			expect.stringMatching(/^Proposal #5 is returned without its full details: /),
		]);
	});
});
