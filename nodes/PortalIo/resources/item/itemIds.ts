import { atLeastOne, ids } from '../../shared/fieldTypes';

const OF_PROPOSAL = ['proposalId.value'];

/** Items of the proposal; none may stand for all of them. */
export const anyItemIds = (description: string) =>
	ids('Item Names or IDs', 'getItems', description, OF_PROPOSAL);

/** The items that an operation on several of them works on. */
export const itemIds = atLeastOne(anyItemIds('The items of the proposal'));

/** The options of areas that items are copied to. */
export const areaOptionIds = atLeastOne(
	ids('Area Option Names or IDs', 'getAreaOptions', 'The options of areas to copy to', OF_PROPOSAL),
);
