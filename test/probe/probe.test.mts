/** Probes services that use different names than this package expects. */
import { execa } from 'execa';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { questions, readTypes } from '../../dev/probe/ask.mts';
import { chooseExitCode, writeLines } from '../../dev/probe/report.mts';
import { runProbe } from '../../dev/probe/run.mts';
import { seed, startSimulator, type Settings } from '../../dev/simulator/index.mts';
import { compileCacheFolder, root } from '../../dev/testbed/paths.mts';
import { findSecrets, collectSecrets } from '../../dev/testbed/secrets.mts';

/**
 * Fields, each with the names of the probe's questions about it, another candidate for its name, and the name that a
 * path suggests, if it differs.
 */
const FIELDS: Record<string, [questions: string, candidate?: string, wordOfPath?: string]> = {
	AreaOptionId: ['item.add option, item.move option', 'TargetOptionId'],
	AreaOptionIds: ['item.copy options', 'TargetOptionIds'],
	Items: ['item.add items', 'LineItems'],
	ProposalItemIds: [
		'item.delete items, item.refreshCosts items, item.move items, item.copy items',
		'LineItemIds',
		'ItemIds',
	],
	ItemId: ['item.replace item', 'NewCatalogItemId', 'ReferencedItemId'],
	Quantity: ['item.updateQuantity quantity', 'Units', 'Qty'],
	SellPrice: ['item.updateSellPrice price', 'UnitPrice'],
	Cost: ['item.updateCost cost', 'BuyPrice'],
	Msrp: ['item.updateMsrp msrp', 'ListPrice'],
	IsCombinedPrice: ['item.updateCombinedPrice flag', 'Combine', 'CombinePrice'],
	IsTaxExempt: ['item.updateTaxExempt flag', 'NoTax', 'TaxExempt'],
	IsRecurringService: ['item.updateRecurringService flag', 'IsSubscription', 'RecurringService'],
	ShortDescription: ['item.updateShortDescription text'],
	ClientNote: ['item.updateClientNote text'],
	ImageUrl: ['item.updateImage text'],
};
const FILTERS = ['salesperson', 'authorized', 'discontinued', 'industrialFavorite', 'lowestPrice'];

const filters = {
	'proposal.getMany': 'SalesPersonId?: int',
	'catalog.search':
		'IsAuthorized?: bool, IncludeDiscontinued?: bool, IsIndustrialFavorite?: bool, MinPrice?: number',
};

const otherName = (field: string) => FIELDS[field]?.[1] ?? field;
const wordOfPath = (field: string) => FIELDS[field]?.[2] ?? field;
const strangeName = (field: string) => `Their${field}`;
const IN_METADATA = 'another name, see the metadata';
const UNASKED = 'text, which cannot be probed this way; add --try';
async function start(settings: Partial<Settings> = {}) {
	const simulator = await startSimulator(settings);
	onTestFinished(() => simulator.stop());
	const { appKey, secretKey, username, password } = seed.dealer;
	const keys = { appKey, secretKey, username, password };
	return { simulator, run: { baseUrl: simulator.url, keys, intervalMs: 0 } };
}

describe('the probe', () => {
	it.each<
		[
			title: string,
			names: (field: string) => string,
			settings: Partial<Settings>,
			verdict: string,
			verdictOnTexts: string,
		]
	>([
		['our names', (field) => field, {}, 'agrees', UNASKED],
		['the words of the paths', wordOfPath, {}, 'agrees', UNASKED],
		['other names', otherName, { moreFields: filters }, 'another name', UNASKED],
		['strange names', strangeName, {}, 'not among the candidates', UNASKED],
		['strange names and metadata', strangeName, { hasMetadata: true }, IN_METADATA, IN_METADATA],
	])(
		'reports whether the service uses the expected names, without changing anything: %s',
		async (_, names, settings, verdict, verdictOnTexts) => {
			const { simulator, run } = await start({
				...settings,
				names: (field, { mark }) => (mark === 'assumed' ? names(field) : field),
			});
			const before = simulator.control.state();
			const result = await runProbe(run);
			expect(simulator.control.state()).toEqual(before);
			// 4 pages, the login, a list that shows whether the keys are accepted, and 18 endpoints.
			expect(simulator.control.requests).toHaveLength(4 + 1 + 1 + 18);
			const lines = writeLines(result.findings);
			const questions = Object.entries(FIELDS).flatMap(([field, [abouts]]) =>
				abouts.split(', ').map((about) => [about, field] as const),
			);
			for (const [about, field] of questions) {
				const line = lines.find(({ endpoint, question }) => `${endpoint} ${question}` === about)!;
				const expected = about.endsWith(' text') ? verdictOnTexts : verdict;
				expect([about, line.verdict]).toEqual([about, expected]);
				const knownNames = line.known.map((name) => name.toLowerCase());
				if (/^(agrees|another)/.test(expected))
					expect(knownNames).toContain(names(field).toLowerCase());
				else expect(knownNames).toEqual([]);
			}
			const filterLines = lines.filter(({ question }) => FILTERS.includes(question));
			const areFound = settings.moreFields !== undefined;
			expect(filterLines.map(({ known }) => known.length)).toEqual(
				FILTERS.map(() => Number(areFound)),
			);
			expect(chooseExitCode(result)).toBe(verdict === 'agrees' ? 0 : 1);
		},
	);
});

describe("operations on the probe's own proposal", () => {
	it('reports that every operation works if the service uses the names that the package expects', async () => {
		const { simulator, run } = await start();
		const { effects } = await runProbe({ ...run, isTrying: true });
		expect(effects.filter(({ hasFailed }) => hasFailed)).toEqual([]);
		const { id, name } = simulator.control.proposals().at(-1)!;
		expect(name).toMatch(/^n8n probe /);
		expect(simulator.control.items(Number(id))).toEqual([]);
		for (const [endpoint, asked] of Object.entries(questions)) {
			const sent = Object.values(asked).flatMap((question) => question.sent);
			const requests = simulator.control.requests.filter((one) => one.operationId === endpoint);
			const { bodyText, query } = requests.at(-1)!;
			const names = [...new URLSearchParams(bodyText || query).keys()];
			if (sent.length > 0)
				expect([endpoint, ...new Set(names)].sort()).toEqual([endpoint, ...sent].sort());
		}
	});

	it('reports an operation that fails because the service ignores the name of a field', async () => {
		const { run } = await start({
			names: (field, { id }) =>
				id === 'item.updateClientNote' ? 'Remark' : field.replace('Items.', ''),
			missing: 'ignored',
		});
		const result = await runProbe({ ...run, isTrying: true });
		expect(result.effects.filter(({ hasFailed }) => hasFailed)).toEqual([
			{
				operation: 'item.update clientNote',
				result: expect.stringMatching(/'Client Note' is empty/),
				hasFailed: true,
			},
		]);
		expect(chooseExitCode(result)).toBe(1);
	});
});

describe('the command', () => {
	const { appKey, secretKey, username, password } = seed.dealer;
	const keys = {
		PORTAL_IO_APP_KEY: appKey,
		PORTAL_IO_SECRET_KEY: secretKey,
		PORTAL_IO_USERNAME: username,
		PORTAL_IO_PASSWORD: password,
	};

	/** Runs the command without a terminal, with only these environment variables. */
	const command = async (args: string[], env: Record<string, string> = keys) =>
		await execa(process.execPath, ['dev/probe/main.mts', ...args], {
			cwd: root,
			env: {
				PATH: process.env.PATH!,
				NODE_COMPILE_CACHE: compileCacheFolder,
				...env,
			},
			extendEnv: false,
			reject: false,
			all: true,
			stdin: 'ignore',
		});

	it('prints and writes a report that contains no keys', async () => {
		const { simulator } = await start();
		const folder = await mkdtemp(join(tmpdir(), 'probe-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		const file = join(folder, 'report.md');
		const { exitCode, all } = await command(['--base-url', simulator.url, '--report', file]);
		const page = await readFile(file, 'utf8');
		expect([exitCode, all.trim()]).toEqual([0, page.trim()]);
		expect(page).toMatch(
			/^\| item\.updateQuantity \| quantity \| ItemUpdateQuantity \| Quantity \| agrees \|$/m,
		);
		expect(page).toContain('x-powered-by: ServiceStack/');
		expect(findSecrets(page, collectSecrets(simulator))).toEqual([]);
	});

	it.each<[args: string[], env: Record<string, string>, words: RegExp]>([
		[['--base-url', 'https://api.portal.io', '--try'], keys, /production\. Omit --try/],
		[['--password', 'hunter2'], keys, /^(?!.*hunter2).*Keys are not accepted/],
		[[], {}, /^Set PORTAL_IO_APP_KEY/],
		[['--base-url', 'http://127.0.0.1:1'], keys, /ECONNREFUSED/],
	])('exits with code 2 for the arguments %j', async (args, env, words) => {
		const { exitCode, all } = await command(args, env);
		expect([exitCode, all]).toEqual([2, expect.stringMatching(words)]);
	});

	it("prints the service's own description without needing keys", async () => {
		const { simulator } = await start({ hasMetadata: true });
		const { exitCode, all } = await command(['--describe', '--base-url', simulator.url], {});
		expect([exitCode, all]).toEqual([0, expect.stringContaining('/types/typescript 200')]);
		expect(all).toContain('- item.updateQuantity: proposalId, proposalItemId, quantity');
	});
});

it("parses the classes on ServiceStack's types page", () => {
	const page = `/* Options:
Date: 2026-11-25 */

// @Route("/public/proposals/{id}/items/{itemId}/qty", "POST,PUT")
// @DataContract
export class UpdateQuantity implements IReturn<ProposalResponse>, IPost
{
    /** @description The item */
    // @DataMember
    public proposalItemId: number;

    public lineQty?: number;

    public constructor(init?: Partial<UpdateQuantity>) { (Object as any).assign(this, init); }
    public getTypeName() { return 'UpdateQuantity'; }
}
`;
	const types = readTypes(page);
	expect(types.get('UpdateQuantity')).toEqual(['proposalItemId', 'lineQty']);
	expect(types.get('POST /public/proposals/{}/items/{}/qty')).toBe(types.get('UpdateQuantity'));
});
