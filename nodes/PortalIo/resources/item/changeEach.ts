import { isRecord } from '../../../../client/guards';
import type { Call } from '../../operation/operation';
import type { Result } from '../../operation/output';
import { withProgress } from '../../operation/steps';

/** Changes one item, or several with the same model one after the other. */
export const changeEach =
	<V extends { itemId: number | number[] }>(
		change: (call: Call<V>, itemId: number) => Promise<Result>,
	) =>
	async (call: Call<V>): Promise<Result> => {
		const { itemId } = call.values;
		if (!Array.isArray(itemId)) return await change(call, itemId);
		const results: Result[] = [];
		for (const [index, id] of itemId.entries()) {
			const result = await change(call, id).catch((error: Error) => {
				throw withProgress(error, 'Changed', itemId, index, idsInWords);
			});
			results.push(result);
		}
		const records = results.flatMap((result) => result.records);
		const items = records.filter(isRecord);
		// A confirmation has the IDs of all items, so the output has only one.
		const confirmations = records.filter((record) => !isRecord(record)).slice(-1);
		return { records: [...items, ...confirmations], raw: results.at(-1)?.raw };
	};

const idsInWords = (ids: number[]): string =>
	ids.length === 0 ? '' : `${ids.length === 1 ? 'item' : 'items'} ${ids.join(', ')}`;
