/** What the multi-selects of the node list, by the name that their fields use. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listOrNone, takeList } from '../../../client/data';
import { optionsOf, type PlacedOption } from '../../../client/model';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { chosenProposal } from './choices';
import { itemChoices, optionChoice } from './recordLabels';
import { emptinessOf } from '../fields/emptiness';

/** An industry, or a category below it. */
interface Category {
	id: number;
	name: string;
	/** Of an industry. */
	categories?: Category[] | null;
	/** Of a category. */
	subCategories?: Category[] | null;
}

/** All categories: those that have others below them may have items of their own. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const industries = await readIndustries(this);
	return industries.flatMap((one) => choicesOf(one, 'categories', one.name));
}

/** The industries, which are what an item has as its parent category, and what is nested deeper. */
export async function getParentCategories(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const industries = await readIndustries(this);
	return industries.flatMap((one) => [
		{ name: one.name, value: one.id },
		...choicesOf(one, 'categories', one.name, ({ subCategories }) =>
			Boolean(subCategories?.length),
		),
	]);
}

async function readIndustries(context: ILoadOptionsFunctions): Promise<Category[]> {
	const request = { method: 'GET', path: '/public/catalog/categories' } as const;
	const answer = await send(await openSession(context), request);
	return takeList(answer, 'industries') as unknown as Category[];
}

/** What a category has under a name, and all that is nested in it, with its place in the catalog. */
const choicesOf = (
	parent: Category,
	under: 'categories' | 'subCategories',
	place: string,
	isWanted: (category: Category) => boolean = () => true,
): INodePropertyOptions[] =>
	listOrNone<Category>(parent, under).flatMap((category) => {
		const name = `${place} / ${category.name}`;
		const own = isWanted(category) ? [{ name, value: category.id }] : [];
		return [...own, ...choicesOf(category, 'subCategories', name, isWanted)];
	});

export async function getItems(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return (await chosenOptions(this)).flatMap(itemChoices);
}

/** The options of all areas of the chosen proposal. */
export async function getAreaOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return (await chosenOptions(this)).map(optionChoice);
}

/**
 * The options of all areas of the chosen proposal. There are none before one is chosen: the editor loads these lists
 * as soon as the node is opened, and would show an error at once.
 */
async function chosenOptions(context: ILoadOptionsFunctions): Promise<PlacedOption[]> {
	if (emptinessOf(context.getCurrentNodeParameter('proposalId')) !== undefined) return [];
	return optionsOf(await chosenProposal(context));
}
