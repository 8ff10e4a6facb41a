/** The lists of the node's multi-selects, by the name that their fields use. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listOrNone, takeList } from '../../../client/data';
import { optionsOf, type PlacedOption } from '../../../client/model';
import { toWords } from '../../shared/labels';
import { findOperation } from '../resources';
import { multiSelect, type Editor } from './lists';
import { itemChoices, optionChoice } from './recordLabels';

interface Category {
	id: number;
	name: string;
	/** Only industries have these. */
	categories?: Category[] | null;
	/** Only categories have these. */
	subCategories?: Category[] | null;
}

/** All categories, including those with subcategories: they can have items of their own. */
export const getCategories = multiSelect(async (editor) =>
	(await industriesOf(editor)).flatMap((one) => choicesOf(one, 'categories', one.name)),
);

/** The possible parent categories of an item: industries, and categories with subcategories. */
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
