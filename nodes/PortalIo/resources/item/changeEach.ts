import { PortalError } from '../../../../client/errors';
import type { Call } from '../../operation/operation';
import type { Result } from '../../operation/output';

/** Changes one item, or several with the same model one after the other. */
export const changeEach =
	<V extends { itemId: number | number[] }>(
		change: (call: Call<V>, itemId: number) => Promise<Result>,
	) =>
	async (call: Call<V>): Promise<Result> => {
		const ids = [call.values.itemId].flat();
		const results: Result[] = [];
		for (const [index, id] of ids.entries()) {
			try {
				results.push(await change(call, id));
			} catch (error) {
				const progress = ids.length === 1 ? [] : [progressOf(ids, index)];
				throw PortalError.from(error as Error).with({ progress });
			}
		}
		return { records: results.flatMap(({ records }) => records), raw: results.at(-1)?.raw };
	};

/** As in `Changed: item 5. Failed: item 6. Not sent: items 7, 8.` */
function progressOf(ids: number[], failed: number): string {
	const parts = {
		Changed: ids.slice(0, failed),
		Failed: [ids[failed]],
		'Not sent': ids.slice(failed + 1),
	};
	return Object.entries(parts)
		.filter(([, part]) => part.length > 0)
		.map(([what, part]) => `${what}: ${part.length === 1 ? 'item' : 'items'} ${part.join(', ')}.`)
		.join(' ');
}
