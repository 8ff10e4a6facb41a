/** The lists of the node's multi-selects, by the name that their fields use. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listOrNone, takeList } from '../../../client/data';
import { optionsOf, type PlacedOption } from '../../../client/model';
import { toWords } from '../../shared/labels';
import { findOperation } from '../resources';
import { multiSelect, type Editor } from './lists';
import { itemChoices, optionChoice } from './recordLabels';

/** An industry, or a category below it. */
interface Category {
	id: number;
	name: string;
	/** The ID of an industry. */
	categories?: Category[] | null;
	/** The ID of a category. */
	subCategories?: Category[] | null;
}

/** All categories: those that have others below them may have items of their own. */
export const getCategories = multiSelect(async (editor) =>
	(await industriesOf(editor)).flatMap((one) => choicesOf(one, 'categories', one.name)),
);

/** The industries, which are what an item has as its parent category, and what is nested deeper. */
export const getParentCategories = multiSelect(async (editor) =>
	(await industriesOf(editor)).flatMap((one) => [
		{ name: one.name, value: one.id },
		...choicesOf(one, 'categories', one.name, ({ subCategories }) =>
			Boolean(subCategories?.length),
		),
	]),
);

const industriesOf = async (editor: Editor) =>
	takeList(await editor.get('/public/catalog/categories'), 'industries') as unknown as Category[];

/** The values of a category and of all nested ones under a name, with their place in the catalog. */
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

/** The editor loads these lists as soon as the node is opened, and would show an error at once. */
const ofChosenProposal = async (editor: Editor): Promise<PlacedOption[]> =>
	editor.has('proposalId') ? optionsOf(await editor.proposal()) : [];

export const getItems = multiSelect(async (editor) =>
	(await ofChosenProposal(editor)).flatMap(itemChoices),
);

/** The options of all areas of the chosen proposal. */
export const getAreaOptions = multiSelect(async (editor) =>
	(await ofChosenProposal(editor)).map(optionChoice),
);

/** The fields that the chosen operation can output. */
export async function getOutputFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const chosen = (name: string) => String(this.getCurrentNodeParameter(name));
	const output = findOperation(chosen('resource'), chosen('operation'))?.output;
	return Object.keys(output !== undefined && 'flat' in output ? output.flat : {})
		.map((value) => ({ name: toWords(value), value }))
		.sort((one, other) => one.name.localeCompare(other.name));
}
