import type { IExecuteFunctions } from 'n8n-workflow';

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

	/** Says it beside the output, in an n8n that has such hints. */
	addHint(context: IExecuteFunctions): void {
		if (this.total === 0 || !('addExecutionHints' in context)) return;
		const { returned, total } = this;
		const count =
			total === Infinity ? `${returned} items, perhaps not all` : `${returned} of ${total} items`;
		context.addExecutionHints({
			message: `${count}. Turn on 'Return All'.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
}
