import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Area } from '../../../client/model';
import { chosenProposal, isProposalChosen } from '../listSearch/choices';
import { itemsOf, optionsOf } from '../listSearch/recordLabels';

/**
 * The areas of the chosen proposal. There are none before one is chosen: the editor loads these lists
 * as soon as the node is opened, and would show an error at once.
 */
async function areasOf(context: ILoadOptionsFunctions): Promise<Area[]> {
	return isProposalChosen(context) ? ((await chosenProposal(context)).areas ?? []) : [];
}

/** The items of the chosen proposal. */
export async function getItems(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return itemsOf(await areasOf(this));
}

/** The options of all areas of the chosen proposal. */
export async function getAreaOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return optionsOf(await areasOf(this));
}
