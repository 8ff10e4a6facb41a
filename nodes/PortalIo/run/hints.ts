import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Says something beside the output. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'],
): void {
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

/** Lists that *Limit* has cut. Nobody would notice: an order without its last ten items looks complete. */
export class CutLists {
	private returned = 0;
	private total = 0;

	/**
	 * Notes what one input returns.
	 *
	 * @param found how many records there are before *Limit* is applied
	 * @param total how many the service has, where it was read in pages
	 */
	note(limit: number, found: number, total = found): void {
		if (Math.max(found, total) <= limit) return;
		this.returned += Math.min(found, limit);
		this.total += Math.max(found, total);
	}

	addHint(context: IExecuteFunctions): void {
		const { returned, total } = this;
		if (total === 0) return;
		const count =
			total === Infinity ? `${returned} items, perhaps not all` : `${returned} of ${total} items`;
		addHint(context, `${count}. Turn on 'Return All'.`, 'warning');
	}
}
