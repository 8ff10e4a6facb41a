import { itemsOf, readProposal } from '../../../client/model';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import type { Found } from '../fields/records';
import { withModel } from './findCatalogItem';

/** The ID of the item of a proposal with a model. */
export async function findItem(
	session: Session,
	proposalId: number,
	model: string,
): Promise<Found> {
	const proposal = await readProposal(async (request) => await send(session, request), proposalId);
	const found = withModel(itemsOf(proposal), model);
	if (found.length === 1) return found[0]!.id;
	const places = found.map(({ areaName, id }) => `'${areaName}' (ID ${id})`).join(', ');
	return found.length === 0
		? `was not found: the proposal has no item with the model '${model}'. Check the model, or choose from the list.`
		: `is ambiguous: the proposal has ${found.length} items with the model '${model}': in ${places}. Choose one from the list, or enter its ID.`;
}
