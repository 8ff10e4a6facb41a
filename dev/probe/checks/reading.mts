/** What the checks share: reading back what the probe made, and trying the filters of a list. */
import { createRequire } from 'node:module';
import type { Json } from '../../simulator/json.mts';
import { camelCase } from '../../simulator/openapi.mts';
import type { Probe } from '../probe.mts';
import { NotTried, type Fields } from '../request.mts';

const { takeList } = createRequire(import.meta.url)('../../../dist/client/list.js');

/** The first page of a list. */
export const PAGE = { PageNumber: 1, PageSize: 10 };

export const LATEST_FIRST = { ...PAGE, SortBy: 'ModifiedDate', SortDirection: 'Desc' };

/** @throws NotTried when there is none */
export function required<T>(value: T | undefined | false, what: string): T {
	if (value === undefined || value === false)
		throw new NotTried(`There is no ${what} to try it with.`);
	return value;
}

/** A list in a response: under its name, else the only one that is there; empty where there is none. */
export function listIn(data: Json, name = ''): Json[] {
	try {
		return takeList(data, name);
	} catch {
		return [];
	}
}

/** Whether a list with the latest first has what the probe made, as far as it made it. */
export const listsLatest = (data: Json, list: string, own: number | undefined): boolean =>
	own === undefined || idsOf(listIn(data, list)).includes(own);

/** @throws NotTried when it cannot be read, so that nothing is tried that could not be seen */
export const readProposal = async (probe: Probe): Promise<Json> => await probe.read('proposal.get');

/** The options of a proposal, in order, with the ID of their area. */
export const optionsOf = (proposal: Json): Json[] =>
	listIn(proposal?.areas).flatMap((area) =>
		listIn(area.options).map((option) => ({ ...option, areaId: area.id })),
	);

/** The items of a proposal, in order, with the ID of their option. */
export const itemsOf = (proposal: Json): Json[] =>
	optionsOf(proposal).flatMap((option) =>
		listIn(option.items).map((item) => ({ ...item, optionId: option.id })),
	);

export const idsOf = (records: Json[]): number[] => records.map(({ id }) => id);

/** A proposal and a contact of the account, to read where the probe makes none of its own. */
export async function findRecords(probe: Probe): Promise<void> {
	const { own, found } = probe;
	const [proposal] = listIn((await probe.send('proposal.getMany', LATEST_FIRST)).data, 'proposals');
	const [person] = listIn((await probe.send('contact.getMany', LATEST_FIRST)).data, 'people');
	if (person !== undefined) Object.assign(found, { PersonId: person.id, ContactId: person.id });
	if (own.ProposalId !== undefined || proposal === undefined) return;
	found.ProposalId = proposal.id;
	const [item] = itemsOf(await readProposal(probe));
	if (item !== undefined) found.ProposalItemId = item.id;
}

// ------------------------------------------------------------------ filters

/** Values that no record has. */
export const NO_TEXT = 'nothing has these words n8n-probe';
export const NO_ID = 2_147_483_647;

/**
 * Reports the parameters without effect, as far as the list has records to show it.
 *
 * @param base a query that finds something
 * @param queries by the parameter: what is added to the base, to find something else
 */
export const tryFilters =
	(operation: string, list: string, base: Fields, queries: Record<string, Fields>) =>
	async (probe: Probe) => {
		if (!probe.isUsable(operation)) return;
		const read = async (query: Fields) => {
			const { isSuccess, data } = await probe.send(operation, { ...base, ...query });
			const total = Object.entries(data ?? {}).find(([name]) => /count$/i.test(name));
			const records = listIn(data, list);
			return { isSuccess, records, shown: String([total, ...idsOf(records)]) };
		};
		const all = await read({});
		const report = probe.reportOf(operation);
		if (all.records.length < 2)
			return void (report.note =
				'Its filters were not tried: the list has fewer than two records.');
		const ignored: string[] = [];
		for (const [name, query] of Object.entries(queries)) {
			const { isSuccess, records, shown } = await read(query);
			// A flag leaves nothing out when all records have it.
			const isFlagOfAll = records.every((record) => record[camelCase(name)] === true);
			// A refusal shows that the parameter is known.
			if (isSuccess && shown === all.shown && !isFlagOfAll) ignored.push(name);
		}
		if (ignored.length === 0) return;
		report.verdict = 'no effect';
		report.note = `The list is the same with and without these parameters: ${ignored.join(', ')}.`;
	};
