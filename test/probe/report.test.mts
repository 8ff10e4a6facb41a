/** The report: its guard, its verdicts, its page, and what it says to change. */
import { existsSync } from 'node:fs';
import { parsers } from 'prettier/plugins/markdown';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../probe/changes.mts';
import { endpoints } from '../../probe/contract.mts';
import { declarationOf } from '../../probe/declarations.mts';
import { toMarkdown } from '../../probe/markdown.mts';
import { meanwhileOf } from '../../probe/meanwhile.mts';
import type { EndpointReport } from '../../probe/model.mts';
import { countsOf, publicReport, toJson } from '../../probe/report.mts';
import { summaryOf } from '../../probe/terminal.mts';
import { reportWith } from './reports.mts';

const none = { added: [], absent: [], types: [] };
const quantity: Partial<EndpointReport> = {
	operation: 'item.updateQuantity',
	verdict: 'differs',
	request: { format: 'form', fields: { Quantity: 'number' } },
	correction: { format: 'form', names: { Quantity: 'Qty' } },
	response: { status: 200, ...none },
};
const QTY = 'POST /public/proposals/{ProposalId}/items/{ProposalItemId}/qty';

describe('what stands in a report', () => {
	const keys = ['SIMULATED-KEY-1', 'pass word&1', 'kitchen'];
	const texts = ['Rowan Okafor', 'Hillside cinema', 'Den', 'Qty', 'lamp', '12 Fern St', 'Draft'];
	const found = reportWith(
		[
			{
				...quantity,
				note: 'status 400: Rowan Okafor, kitchen, cannot in the Den; a lamp; pass%20word%261',
			},
			{
				operation: 'user.getMany',
				verdict: 'differs',
				response: { status: 200, ...none, added: ['users[].Rowan Okafor', 'users[].age'] },
			},
		],
		{
			facts: {
				webhookEvents: { 'proposal.status_changed': 'accepted', 'Hillside cinema': 'accepted' },
				location: 'https://x.example/SIMULATED-KEY-1',
				statuses: ['Draft', 'Den'],
			},
			left: ["A proposal named 'n8n probe 2026-11-22' at 12 Fern St"],
			endedEarly: 'Rowan Okafor stopped it.',
		},
	);
	const report = publicReport(found, { keys, texts: [...texts, 'n8n probe 2026-11-22'] });
	const all = [toJson(report), toMarkdown(report), summaryOf(report)];

	it('is nothing of the account', () => {
		for (const text of all) {
			for (const hidden of [...keys, 'pass%20word', 'Rowan', 'Okafor', 'Hillside', '12 Fern']) {
				expect(text).not.toContain(hidden);
			}
			expect(text).not.toMatch(/\bDen\b/);
		}
	});

	it('is every name, type and status', () => {
		const { endpoints: all, facts, left } = report;
		const one = all.find(({ operation }) => operation === 'item.updateQuantity')!;
		expect(one).toMatchObject({ verdict: 'differs', path: QTY.slice(5) });
		expect(one.correction).toEqual({ format: 'form', names: { Quantity: 'Qty' } });
		expect(one.note).toBe('status 400: …, …, cannot in the …; a lamp; …');
		expect(facts).toEqual({
			webhookEvents: { 'proposal.status_changed': 'accepted', '…': 'accepted' },
			location: 'https://x.example/…',
			statuses: ['Draft', '…'],
		});
		expect(left).toEqual(["A proposal named 'n8n probe 2026-11-22' at …"]);
		const users = all.find(({ operation }) => operation === 'user.getMany')!;
		expect(users.response!.added).toEqual(['users[].…', 'users[].age']);
	});

	it('is in the order in which it is documented', () => {
		const { service, startedAt, endpoints, facts, left } = JSON.parse(toJson(report));
		expect(typeof service).toBe('string');
		expect(new Date(startedAt).toISOString()).toBe(startedAt);
		expect(Object.keys(endpoints[0]).slice(0, 4)).toEqual([
			...['method', 'path', 'operation', 'verdict'],
		]);
		expect([typeof facts, Array.isArray(left)]).toEqual(['object', true]);
	});
});

describe('the summary', () => {
	it('countshow many endpoints have which verdict', () => {
		const others = [quantity, { operation: 'item.move', verdict: 'refused' as const }];
		expect(countsOf(reportWith(others))).toBe(
			`${endpoints.length - 2} confirmed, 1 differs, 1 refused`,
		);
	});
});

describe('the declaration of an operation', () => {
	it.each(endpoints)('$operation is in a file of this package', ({ operation }) => {
		expect(existsSync(new URL(`../../${declarationOf(operation).file}`, import.meta.url))).toBe(
			true,
		);
	});
});

describe('what to change', () => {
	const changes = (...others: Partial<EndpointReport>[]) => changesOf(reportWith(others));

	it('is nothing when all is confirmed', () => {
		expect(changes()).toEqual([]);
	});

	it('names the file, what to send instead, and the endpoint', () => {
		expect(changes(quantity)).toEqual([
			`nodes/PortalIo/resources/item/update.ts: send \`Qty\` instead of \`Quantity\` (\`${QTY}\`)`,
			'simulator/openapi.yaml: the same for `item.updateQuantity`, so that the simulator does it too',
		]);
	});

	it('says format, lists, values and path', () => {
		const [line] = changes({
			operation: 'item.move',
			verdict: 'differs',
			correction: {
				format: 'json',
				names: { ProposalItemIds: 'ids', AreaOptionId: 'targetOptionId' },
				lists: 'commas',
				path: '/public/proposals/{ProposalId}/items/transfer',
			},
		});
		expect(line).toContain(
			'send `ids` instead of `ProposalItemIds`, `targetOptionId` instead of `AreaOptionId`, JSON instead of a form and lists as one text with commas: `1,2` to `/public/proposals/{ProposalId}/items/transfer`',
		);
		const [person] = changes({
			operation: 'contact.create',
			verdict: 'differs',
			correction: { format: 'form', names: {}, values: { PartyType: { Person: 'Individual' } } },
		});
		expect(person).toContain('send `Individual` instead of `Person` in `PartyType`');
	});

	it('leaves out a second path that is not there, and goes to it where the first is not', () => {
		const second = 'areaOption.updateInstallerNotes.alternate';
		expect(changes({ operation: second, verdict: 'missing' })[0]).toMatch(
			/^nodes\/PortalIo\/resources\/areaOption\/update\.ts: leave out the second path/,
		);
		const [line] = changes({ operation: 'areaOption.updateInstallerNotes', verdict: 'missing' });
		expect(line).toContain('area-options/{OptionId}/installernotes` the only path');
		const both = ['areaOption.updateInstallerNotes', second];
		const lines = changes(...both.map((operation) => ({ operation, verdict: 'missing' as const })));
		expect(lines.every((one) => one.includes('the service does not have'))).toBe(true);
	});

	it('names responses that differ, and what may read them', () => {
		const response = { status: 200, added: ['users[].age'], absent: ['usersCount'], types: [] };
		expect(changes({ operation: 'user.getMany', verdict: 'differs', response })).toEqual([
			'simulator/openapi.yaml: `usersCount` is not in the response of `user.getMany`; read by nodes/PortalIo/resources/user/getMany.ts',
			'simulator/openapi.yaml: `users[].age` is also in the response of `user.getMany`',
		]);
	});

	it('names a field once, whatever number of responses differ in it', () => {
		const response = { status: 200, added: [], absent: [], types: ['number: string, not integer'] };
		const names = ['proposal.get', 'area.create', 'item.add', 'item.move', 'item.copy'];
		const lines = changes(
			...names.map((operation) => ({ operation, verdict: 'differs' as const, response })),
		);
		expect(lines).toEqual([
			'simulator/openapi.yaml: `number: string, not integer` in the response of `proposal.get`, `area.create`, `item.add` and 2 more; read by nodes/PortalIo/resources/proposal/get.ts, nodes/PortalIo/resources/area/create.ts, nodes/PortalIo/resources/item/add.ts and 2 more',
		]);
	});

	it('says that nothing worked, but not to who lacks the permission', () => {
		const refused = { operation: 'item.copy', verdict: 'refused' as const };
		expect(changes({ ...refused, response: { status: 400, ...none } })[0]).toMatch(
			/item\/copy\.ts: `POST .+` is refused with status 400, whatever was tried/,
		);
		expect(changes({ ...refused, response: { status: 403, ...none } })).toEqual([]);
	});

	it('takes over events and signing', () => {
		const facts = {
			queryIsSigned: true,
			webhookEvents: {
				'proposal.status_changed': 400,
				'proposal.outline.status_update': 'accepted',
				'payment.status_changed': 'accepted',
				'order.status_changed': 400,
			},
		};
		expect(changesOf(reportWith([], { facts }))).toEqual([
			'client/auth/signRequest.ts: sign the query, too',
			'client/model.ts: events that the service does not have: `proposal.status_changed`',
			'client/model.ts: events that the service has, too: `payment.status_changed`',
		]);
	});
});

describe('what a user can set meanwhile', () => {
	const meanwhile = (operation: string, correction: EndpointReport['correction']) =>
		meanwhileOf(
			reportWith([
				{ operation, verdict: 'differs', ...(correction && { correction }) },
			]).endpoints.find((one) => one.operation === operation)!,
		);

	it('is a field in the options of the operation', () => {
		expect(meanwhile('item.updateQuantity', quantity.correction)).toBe(
			'in the *Options* of *Item: Update*, add to *Extra Fields* `Qty` with what `Quantity` has',
		);
	});

	it('is the format, and lists in another form', () => {
		expect(
			meanwhile('item.delete', {
				format: 'json',
				names: { ProposalItemIds: 'ids' },
				lists: 'commas',
			}),
		).toBe(
			'in the *Options* of *Item: Delete*, set *Body Format* to JSON and add to *Extra Fields* `ids` with the list as one text with commas: `1,2`',
		);
	});

	it('is the whole list where a name inside of it differs', () => {
		expect(
			meanwhile('item.add', { format: 'form', names: { 'Items[].itemId': 'catalogItemId' } }),
		).toBe(
			'in the *Options* of *Item: Add*, add to *Extra Fields* `Items` with the list as JSON, in which `catalogItemId` instead of `itemId`',
		);
	});

	it('is the HTTP Request node for other paths, and where the node has no such options', () => {
		expect(meanwhile('item.copy', { format: 'form', names: {}, path: '/public/copies' })).toContain(
			'HTTP Request node',
		);
		expect(meanwhile('proposal.create', { format: 'json', names: { Name: 'title' } })).toContain(
			'`POST /public/proposals`, with JSON',
		);
		expect(meanwhile('item.copy', undefined)).toBeUndefined();
	});
});

/** The headings, and the number of cells of each row, as a parser of Markdown sees them. */
function structureOf(markdown: string) {
	interface Node {
		type: string;
		value?: string;
		children?: Node[];
	}
	const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];
	const textOf = (node: Node) =>
		nodesOf(node)
			.map(({ value = '' }) => value)
			.join('');
	const nodes = nodesOf(
		parsers.markdown.parse(markdown, { filepath: 'report.md' } as never) as Node,
	);
	return {
		headings: nodes.filter(({ type }) => type === 'heading').map(textOf),
		tables: nodes
			.filter(({ type }) => type === 'table')
			.map(({ children = [] }) => children.map((row) => row.children!.length)),
		types: new Set(nodes.map(({ type }) => type)),
	};
}

describe('the page', () => {
	it('begins with the summary, then says what differs', () => {
		const page = toMarkdown(publicReport(reportWith([quantity]), { keys: [], texts: [] }));
		expect(page.split('\n').slice(0, 5).join('\n')).toBe(
			`# What the Portal.io API does

**${endpoints.length} endpoints: ${endpoints.length - 1} confirmed, 1 differs.**

Asked \`https://sandbox.api.portal.io\` on 2026-11-22 at 16:45 UTC: 231 requests in 58 seconds.`,
		);
		expect(structureOf(page).headings).toEqual([
			'What the Portal.io API does',
			'What differs',
			'item.updateQuantity: differs',
			'What was left behind',
			'What to change',
			'All endpoints',
		]);
		expect(page).toContain('- **Send `Qty` instead of `Quantity`.**');
		expect(page).toContain('- Until then, in the *Options* of *Item: Update*');
	});

	it('stays a page whatever the service says', () => {
		const hostile =
			'# x | y `z` <script>alert()</script> ![a](b) [c](d) @octocat #12 **e**\n\n---\n| f |';
		const report = reportWith([{ operation: 'item.move', verdict: 'refused', note: hostile }], {
			facts: { wrong: hostile, more: { [hostile]: [hostile] } },
			left: [hostile],
		});
		const page = toMarkdown(publicReport(report, { keys: [], texts: [] }));
		const { headings, tables, types } = structureOf(page);
		const plain = structureOf(
			toMarkdown(
				publicReport(
					{
						...report,
						endpoints: reportWith([{ operation: 'item.move', verdict: 'refused', note: 'x' }])
							.endpoints,
						facts: { wrong: 'x', more: { x: ['x'] } },
						left: ['x'],
					},
					{ keys: [], texts: [] },
				),
			),
		);
		expect(headings).toEqual(plain.headings);
		expect(tables).toEqual(plain.tables);
		for (const type of ['link', 'image', 'linkReference']) expect([...types]).not.toContain(type);
		expect(page.replace(/`[^`\n]*`/g, '')).not.toMatch(/(?<!\\)<script|@octocat|#12/);
	});

	it('says how far it came when it ended early', () => {
		const page = toMarkdown(reportWith([], { endedEarly: 'The service is too busy: status 429.' }));
		expect(page).toContain('**The probe did not reach its end:** The service is too busy');
	});
});
