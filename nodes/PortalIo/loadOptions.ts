/** What the multi-selects of the node list, by the name that their fields use. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listOrNone, takeList } from '../../client/list';
import { send } from '../../client/request';
import { openSession } from '../../client/session';
import { areasOf, type ReadArea } from '../shared/areas';
import { chosenProposal } from './listSearch/choices';
import { itemsOf, optionsOf } from './listSearch/recordLabels';
import { isEmpty } from './shared/values';

/** An industry, or a category below it. */
interface Category {
	id: number;
	name: string;
	/** Of an industry. */
	categories?: Category[] | null;
	/** Of a category. */
	subCategories?: Category[] | null;
}

/** The categories that have none below them: those that items are in. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await categories(this, ({ subCategories }) => !subCategories?.length);
}

/** The categories that have others below them. */
export async function getParentCategories(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await categories(this, ({ subCategories }) => Boolean(subCategories?.length));
}

async function categories(
	context: ILoadOptionsFunctions,
	isWanted: (category: Category) => boolean,
): Promise<INodePropertyOptions[]> {
	const request = { method: 'GET', path: '/public/catalog/categories' } as const;
	const answer = await send(await openSession(context), request);
	const below = (place: string, some: Category[]): INodePropertyOptions[] =>
		some.flatMap((category) => {
			const name = `${place} / ${category.name}`;
			const own = isWanted(category) ? [{ name, value: category.id }] : [];
			return [...own, ...below(name, listOrNone(category, 'subCategories'))];
		});
	const industries = takeList(answer, 'industries') as unknown as Category[];
	return industries.flatMap((one) => below(one.name, listOrNone(one, 'categories')));
}

export async function getItems(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return itemsOf(await chosenAreas(this));
}

/** The options of all areas of the chosen proposal. */
export async function getAreaOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return optionsOf(await chosenAreas(this));
}

/**
 * The areas of the chosen proposal. There are none before one is chosen: the editor loads these lists
 * as soon as the node is opened, and would show an error at once.
 */
async function chosenAreas(context: ILoadOptionsFunctions): Promise<ReadArea[]> {
	if (isEmpty(context.getCurrentNodeParameter('proposalId'))) return [];
	return areasOf(await chosenProposal(context));
}
