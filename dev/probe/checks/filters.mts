/** Which parameters of a list have an effect: those without one are sent in vain. */
import type { Json } from '../contract.mts';
import type { Probe } from '../probe.mts';
import type { Fields } from '../ways.mts';
import { idsOf, listIn, PAGE } from './reading.mts';

/** Values that no record has. */
export const NO_TEXT = 'nothing has these words n8n-probe';
export const NO_ID = 2_147_483_647;

/** Two queries that find something else when a parameter has an effect; the second one may be a plain one. */
export type Pairs = Record<string, [query: Fields, other?: Fields]>;

export const PAGING: Pairs = {
	'PageNumber and PageSize': [
		{ PageNumber: 1, PageSize: 1 },
		{ PageNumber: 2, PageSize: 1 },
	],
};

export const sortingBy = (SortBy: string): Pairs => ({
	'SortBy and SortDirection': [
		{ SortBy, SortDirection: 'Asc' },
		{ SortBy, SortDirection: 'Desc' },
	],
});

/** Reports the parameters without effect, once the list itself could be read. */
export const tryFilters =
	(operation: string, list: string, pairs: Pairs) => async (probe: Probe) => {
		const read = async (query: Fields) => {
			const { isSuccess, data } = await probe.send(operation, { ...PAGE, ...query });
			const records = listIn(data, list);
			const total = Object.entries<Json>(data ?? {}).find(([name]) => /count$/i.test(name))?.[1];
			return { isSuccess, records, shown: JSON.stringify([idsOf(records), total]) };
		};
		// Of a list with less than two records, nothing shows.
		if (!probe.isUsable(operation) || (await read({})).records.length < 2) return;
		const ignored: string[] = [];
		for (const [name, [query, other = {}]] of Object.entries(pairs)) {
			const [one, two] = [await read(query), await read(other)];
			const isSamePage = one.records.length > 0 && one.shown === two.shown;
			// A flag leaves nothing out when all records have it.
			const [[field = '', value] = []] = Object.entries(query);
			const member = field.replace(/^./, (first) => first.toLowerCase());
			const isFlag = value === true && one.records.every((record) => record[member] !== false);
			// A refusal shows that the parameter is known.
			if (isSamePage && !isFlag && one.isSuccess && two.isSuccess) ignored.push(name);
		}
		if (ignored.length === 0) return;
		const report = probe.reportOf(operation);
		report.verdict = 'no effect';
		report.note = `These filters change nothing in the list: ${ignored.join(', ')}.`;
	};
