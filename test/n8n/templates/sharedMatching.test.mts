/** The shared workflows *Match Customer* and *Match Product*, called in the real n8n. */
import { expect, test } from 'vitest';
import { callShared, createCaller } from '../../../testbed/sharedWorkflows.mts';
import { addRow } from '../../../testbed/tableSteps.mts';
import { ownStage } from '../stages.mts';

const stage = ownStage({ examples: ['Match Customer', 'Match Product'] });

interface Candidate {
	id: number | string;
	email?: string | null;
	company?: string | null;
	name?: string | null;
}

const person = (id: number, email: string, name = '', company = ''): Candidate => ({
	id,
	email,
	name,
	company,
});

/** Title, customer (email, company, name), candidates, and what must come out. */
const customers: [
	title: string,
	customer: [email: string, company: string, name: string],
	candidates: Candidate[],
	expected: [result: string, matchedBy: string, ids: number[]],
][] = [
	['no candidates', ['a@holt.example', '', 'Ann Holt'], [], ['none', '', []]],
	['nothing known of the customer', ['', '', ''], [person(1, '')], ['none', '', []]],
	[
		'the email',
		['a@holt.example', '', ''],
		[person(1, 'a@holt.example')],
		['matched', 'email', [1]],
	],
	[
		'the email in another case',
		['A@Holt.Example ', '', ''],
		[person(1, 'a@hOLT.example')],
		['matched', 'email', [1]],
	],
	[
		'one of several emails of a candidate',
		['a@holt.example', '', ''],
		[person(1, 'x@y.example, a@holt.example')],
		['matched', 'email', [1]],
	],
	[
		'no part of an email',
		['a@holt.example', '', ''],
		[person(1, 'ba@gholt.example')],
		['none', '', []],
	],
	[
		'the email before the domain and the name',
		['a@holt.example', '', 'Ann Holt'],
		[person(1, 'b@holt.example'), person(2, 'a@holt.example'), person(3, '', 'Ann Holt')],
		['matched', 'email', [2]],
	],
	[
		'several with the email, not one by its name',
		['a@holt.example', '', 'Ann Holt'],
		[person(1, 'a@holt.example', 'Ann Holt'), person(2, 'A@HOLT.EXAMPLE', 'Bo Holt')],
		['several', 'email', [1, 2]],
	],
	[
		'the domain of a company',
		['a@holt.example', 'Holt Homes', 'Ann'],
		[person(1, 'office@holt.example'), person(2, 'a@other.example')],
		['matched', 'domain', [1]],
	],
	[
		'never the domain of a person, which others share',
		['a@holt.example', '', 'Ann'],
		[person(1, 'office@holt.example')],
		['none', '', []],
	],
	[
		'no subdomain of it',
		['a@holt.example', 'Holt Homes', ''],
		[person(1, 'office@uk-holt.example')],
		['none', '', []],
	],
	[
		'several with the domain, not one by its name',
		['a@holt.example', 'Ann Holt', ''],
		[person(1, 'b@holt.example', 'Ann Holt'), person(2, 'c@holt.example')],
		['several', 'domain', [1, 2]],
	],
	...['gmail.com', 'outlook.com', 'yahoo.com', 'iCloud.com', 'comcast.net'].map(
		(domain): (typeof customers)[number] => [
			`never the public domain ${domain}`,
			[`ann@${domain}`, 'Ann Holt', ''],
			[person(1, `bo@${domain}`, 'Bo Vance')],
			['none', '', []],
		],
	),
	[
		'the name behind a public domain',
		['ann@gmail.com', '', 'Ann Holt'],
		[person(1, 'bo@gmail.com', 'Bo'), person(2, 'ann@me.com', 'ann  HOLT')],
		['matched', 'name', [2]],
	],
	[
		'the name of a company',
		['', 'Quarry  Street', 'Theo Vance'],
		[person(1, '', 'Theo Vance'), person(2, '', '', 'QUARRY STREET ')],
		['matched', 'name', [2]],
	],
	[
		'a company by its name, not by the person',
		['', 'Quarry Street', 'Theo Vance'],
		[person(1, '', 'Theo Vance')],
		['none', '', []],
	],
	[
		'a company as the name of a candidate',
		['', 'Quarry Street', ''],
		[person(1, '', 'Quarry Street')],
		['matched', 'name', [1]],
	],
	[
		'several with the name',
		['', '', 'Ann Holt'],
		[person(1, '', 'Ann Holt'), person(2, '', 'Ann Holt')],
		['several', 'name', [1, 2]],
	],
	[
		'the same candidate twice',
		['a@holt.example', '', ''],
		[person(1, 'a@holt.example'), person(1, 'a@holt.example')],
		['matched', 'email', [1]],
	],
	['an email without a domain', ['ann', '', ''], [person(1, 'bo@holt.example')], ['none', '', []]],
	[
		'candidates with missing fields',
		['a@holt.example', '', 'Ann'],
		[{ id: 'x1', email: null, name: null }, { id: 'x2' }],
		['none', '', []],
	],
];

test('"Match Customer" decides by the first rule that finds anything', async () => {
	const inputs = customers.map(([, [email, company, name], candidates]) => ({
		email,
		company,
		name,
		candidates,
	}));
	const found = await callShared<object>(stage(), 'Match Customer', inputs);
	const expected = customers.map(([title, , , [result, matchedBy, ids]]) => ({
		title,
		result,
		customerId: result === 'matched' ? String(ids[0]) : '',
		matchedBy,
		candidates: ids.map(String),
	}));
	expect(found.map((one, index) => ({ title: customers[index]![0], ...one }))).toEqual(expected);
});

const part = (referencedItemId: number, model: string, more: object = {}) => ({
	referencedItemId,
	itemType: 'Part',
	brand: 'Lumenfold',
	model,
	name: `Lumenfold ${model}`,
	quantity: 2,
	...more,
});
const labor = (referencedItemId: number, name: string) => ({
	...part(referencedItemId, '', { itemType: 'Labor', brand: '' }),
	name,
});

test('"Match Product" finds one product for each line, and names what it does not find', async () => {
	const link = (referencedItemId: number, productId: string, more: object = {}) =>
		addRow(stage(), 'portal_product_links', {
			job: 'books',
			itemType: '',
			referencedItemId,
			productId,
			...more,
		});
	await link(1, 'linked');
	await link(2, 'of another job', { job: 'other' });
	await link(3, 'of every job', { job: '' });
	await link(4, 'of labor', { itemType: 'Labor' });
	await link(5, 'one');
	await link(5, 'two');
	const products = [
		{ id: 11, partNumber: 'LX-1', name: 'By part number' },
		{ id: 12, partNumber: 'lx 2', name: 'By part number' },
		{ id: 14, partNumber: '', name: 'lumenfold LX-4' },
		{ id: 15, partNumber: 'LX-5', name: 'Would be a match' },
		{ id: 16, partNumber: 'LX-6', name: 'x' },
		{ id: 17, partNumber: 'LX-6', name: 'Lumenfold LX-6' },
		{ id: 18, partNumber: '', name: 'Installation' },
		{ id: 19, partNumber: '', name: 'LX-9' },
		{ id: 20, partNumber: '', name: '' },
	];
	const lines = [
		part(1, 'LX-1'),
		part(2, 'LX 2'),
		part(3, 'nothing else'),
		part(4, 'LX-4'),
		part(5, 'LX-5'),
		part(6, 'LX-6'),
		labor(7, 'INSTALLATION'),
		labor(8, 'Programming'),
		part(9, 'lx-9'),
		part(10, '', { brand: '', name: '' }),
		// The same item in another area.
		labor(8, 'Programming'),
	];
	const matches: [productId: string, matchedBy: string][] = [
		['linked', 'link'],
		['12', 'part number'],
		['of every job', 'link'],
		['14', 'name'],
		['', ''],
		['', ''],
		['18', 'name'],
		['', ''],
		['19', 'name'],
		['', ''],
		['', ''],
	];
	const [found, empty] = await callShared<object>(stage(), 'Match Product', [
		{ job: 'books', lines, products },
		{ job: 'books', lines: [], products },
	]);
	const missing = 'No product has this part number or name';
	expect(found).toEqual({
		lines: lines.map((line, index) => ({
			...line,
			productId: matches[index]![0],
			matchedBy: matches[index]![1],
		})),
		unmatched: [
			[lines[4]!, 'Several products have this link: one, two', ['one', 'two']] as const,
			[lines[5]!, 'Several products have this part number: 16, 17', ['16', '17']] as const,
			[lines[7]!, missing, []] as const,
			[lines[9]!, missing, []] as const,
		].map(([{ referencedItemId, itemType, model, name }, reason, candidates]) => ({
			referencedItemId,
			itemType,
			model,
			name,
			reason,
			candidates,
		})),
	});
	expect(empty).toEqual({ lines: [], unmatched: [] });
});

test('a call with several items is refused, as all but the first would be lost', async () => {
	const { n8n } = stage();
	const caller = await createCaller(stage(), 'Match Customer', [{}, {}]);
	const nodes = structuredClone(caller.nodes);
	nodes.find(({ name }) => name === 'Loop')!.parameters.batchSize = 2;
	await n8n.updateWorkflow(caller, { nodes });
	const execution = await n8n.runManually(caller, 'Start');
	expect(execution.status).toBe('error');
	expect(execution.error!.message).toContain('This workflow takes one item for each call');
});
