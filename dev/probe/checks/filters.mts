/** Which parameters of a list have an effect: those without one are sent in vain. */
import { camelCase } from '../compare.mts';
import type { Probe } from '../probe.mts';
import type { Fields } from '../request.mts';
import { idsOf, listIn } from './reading.mts';

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
		if (all.records.length < 2) return;
		const ignored: string[] = [];
		for (const [name, query] of Object.entries(queries)) {
			const { isSuccess, records, shown } = await read(query);
			// A flag leaves nothing out when all records have it.
			const isFlagOfAll = records.every((record) => record[camelCase(name)] === true);
			// A refusal shows that the parameter is known.
			if (isSuccess && shown === all.shown && !isFlagOfAll) ignored.push(name);
		}
		if (ignored.length === 0) return;
		const report = probe.reportOf(operation);
		report.verdict = 'no effect';
		report.note = `These filters change nothing in the list: ${ignored.join(', ')}.`;
	};
