import { itemsOf, readProposal, type ProposalItem } from '../../../../client/model';
import { isSame } from '../../operation/compare';
import type { Call } from '../../operation/operation';
import type { SentItem } from './find';

/**
 * Finds the items to add that an option already has. Each item of the option stands for one row.
 *
 * @returns for each row the item that is there; undefined where it has to be added
 * @throws NodeOperationError for rows that are there with another quantity
 */
export async function findPresent(
	call: Call<{ proposalId: number }>,
	rows: SentItem[],
): Promise<Array<ProposalItem | undefined>> {
	const left = itemsOf(await readProposal(call.send, call.values.proposalId));
	const take = ({ values }: SentItem, hasQuantity: (item: ProposalItem) => boolean) => {
		const index = left.findIndex(
			(item) =>
				item.areaOptionId === values.areaOptionId &&
				item.referencedItemId === values.referencedItemId &&
				item.itemType === values.itemType &&
				(values.parentId === null || isSame('id', values.parentId, item.parentId)) &&
				hasQuantity(item),
		);
		return index < 0 ? undefined : left.splice(index, 1)[0];
	};
	const present = rows.map((row) =>
		take(row, ({ quantity }) => isSame('quantity', row.values.quantity, quantity)),
	);
	const others = rows.flatMap((row, index) => {
		const other = present[index] === undefined ? take(row, () => true) : undefined;
		if (other === undefined) return [];
		const name = row.name === '' ? 'The item is' : `${row.name}:`;
		return [`${name} already in ${other.areaName} (quantity ${other.quantity})`];
	});
	if (others.length === 0) return present;
	const advice = "Nothing was added. To change a quantity, use the operation 'Update'.";
	throw others.length === 1
		? call.error(others[0]!, advice)
		: call.error(
				`${others.length} rows are already in the proposal with another quantity`,
				[...others.slice(0, 10), advice].join('\n'),
			);
}
