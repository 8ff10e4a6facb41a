/** Plans the changes that a copy still needs to equal its source proposal. */
import {
	areasOf,
	optionsOf,
	type Area,
	type AreaItem,
	type PlacedOption,
	type Proposal,
} from '../../../../client/proposal';
import type { FieldValue, ServiceRequest } from '../../../../client/request';
import { nameKey } from '../../../shared/text';
import { isSame } from '../../operation/comparison';
import { labelOf, type UpdateOf, type UpdateValue } from '../../operation/updateOperation';
import { newArea } from '../area';
import { newOption, TEXTS, textsOf, updateOfOption } from '../areaOption';
import { addRequest, UPDATE_VALUES, updateOfItem, valueOf } from '../item/values';
import { assign, type Assignee } from './assign';
import { updateOfProposal, VALUES } from './update';

/** The source proposal, with the client and site of the copy. */
export interface CopyGoal {
	source: Proposal;
	contactId: number | undefined;
	locationId: number | undefined;
}

export interface PlannedChange {
	request: ServiceRequest;
	/** The message if the copy does not show the change. */
	failure: string;
	/** True if Portal.io may store the value in another form. */
	mayDiffer?: boolean;
	/** The advice if Portal.io rejects the request. */
	advice?: string;
}

/** Returns the changes of one kind that the copy still needs and that can be made now. */
export type Stage = (goal: CopyGoal, copy: Proposal) => PlannedChange[];

const planAssignment =
	(what: Assignee): Stage =>
	(goal, { id, customer }) => {
		const newId = goal[`${what}Id`];
		const currentId = what === 'contact' ? customer?.id : customer?.location?.id;
		if (newId === undefined || newId === currentId) return [];
		return [{ request: assign(id, what, newId), failure: `Portal.io did not assign the ${what}` }];
	};

const byId = (first: { id: number }, second: { id: number }) => first.id - second.id;

/** Portal.io may store the name of an area with other spaces, hyphens or case. */
const NAME_FORMS = [(name: string) => name.trim(), nameKey];

/** Maps the ID of each area to the area of the copy. Areas with the same name pair in the order of their creation. */
function pairAreas(source: Area[], copies: Area[]): Map<number, Area> {
	const unpaired = copies.toSorted(byId);
	const pairs = new Map<number, Area>();
	// Equal names pair first, because another area may have the other form of a name.
	for (const formOf of NAME_FORMS) {
		for (const { id, name } of source) {
			const index = pairs.has(id)
				? -1
				: unpaired.findIndex((copy) => formOf(copy.name) === formOf(name));
			if (index >= 0) pairs.set(id, unpaired.splice(index, 1)[0]!);
		}
	}
	return pairs;
}

const planAreas: Stage = ({ source }, copy) => {
	const areas = areasOf(source);
	const pairs = pairAreas(areas, areasOf(copy));
	return areas
		.filter(({ id }) => !pairs.has(id))
		.map(({ name }) => ({
			request: newArea(copy.id, name),
			failure: `Portal.io did not add the area '${name}'`,
			advice: adviceOnNamesakes(areas, name),
		}));
};

/** Portal.io documents that the name of a new area must be unique, but its own editor may allow duplicates. */
function adviceOnNamesakes(areas: Area[], name: string): string {
	const count = areas.filter((area) => nameKey(area.name) === nameKey(name)).length;
	return count === 1
		? ''
		: `The source proposal has ${count} areas named '${name}'. If Portal.io rejects the second one, rename it in the source proposal.`;
}

interface OptionPair extends PlacedOption {
	copiedArea: Area | undefined;
	copiedOption: PlacedOption['option'] | undefined;
}

/** Pairs options by area, in the order in which they were added. */
export function pairOptions(source: Proposal, copy: Pick<Proposal, 'areas'>): OptionPair[] {
	const pairs = pairAreas(areasOf(source), areasOf(copy));
	return optionsOf(source).map((placedOption) => {
		const copiedArea = pairs.get(placedOption.area.id);
		const copiedOption = copiedArea?.options.toSorted(byId)[placedOption.optionNumber - 1];
		return { ...placedOption, copiedArea, copiedOption };
	});
}

/** Options are added in the order of their numbers, because they pair in the order of their IDs. */
const planOptions: Stage = ({ source }, copy) =>
	pairOptions(source, copy)
		.filter(({ copiedOption }) => copiedOption === undefined)
		.map(({ area, copiedArea, optionNumber, option }) => ({
			request: newOption(copy.id, copiedArea!.id, textsOf(option)),
			failure: `Portal.io did not add option ${optionNumber} to '${area.name}'`,
		}));

/** Maps the IDs of items to their copies. Items pair by catalog item and parent, in their order. */
export function pairItems(originals: AreaItem[], copies: AreaItem[]): Map<number, AreaItem> {
	const unpaired = copies.toSorted(byId);
	const pairs = new Map<number, AreaItem>();
	const pairAll = (siblings: AreaItem[], parentId: number | undefined) => {
		for (const item of siblings) {
			const index = unpaired.findIndex(
				(copy) =>
					copy.itemType === item.itemType &&
					copy.referencedItemId === item.referencedItemId &&
					isSame('id', parentId, copy.parentId),
			);
			if (index < 0) continue;
			const [copy] = unpaired.splice(index, 1) as [AreaItem];
			pairs.set(item.id, copy);
			const nested = originals.filter((original) => original.parentId === item.id);
			pairAll(nested, copy.id);
		}
	};
	const topLevelItems = originals.filter((item) => !isNestedIn(originals, item));
	pairAll(topLevelItems, undefined);
	return pairs;
}

const isNestedIn = (items: AreaItem[], { parentId }: AreaItem) =>
	items.some(({ id }) => id === parentId);

/** Nested items can only be added after their parent, which needs another pass. */
export const planItems: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(
		({ area, optionNumber, option, copiedOption }): PlannedChange[] => {
			const pairs = pairItems(option.items, copiedOption!.items);
			const missingItems = option.items.filter(({ id }) => !pairs.has(id));
			const items = missingItems
				.filter((item) => pairs.has(item.parentId!) || !isNestedIn(option.items, item))
				.map((item) => ({ ...item, parentId: pairs.get(item.parentId!)?.id }));
			if (items.length === 0) return [];
			const failure = `Portal.io did not add ${missingItems.length} items to '${area.name}', option ${optionNumber}`;
			return [{ request: addRequest(copy.id, copiedOption!.id, items), failure }];
		},
	);

/** A value that the source lacks is set to this. An amount that the source lacks is not copied. */
const EMPTY = {
	flag: false,
	image: '',
	text: '',
	money: undefined,
	quantity: undefined,
};

/** The values of a record of the source, and of its copy. */
interface RecordPair {
	table: Record<string, UpdateValue & { kind?: keyof typeof EMPTY }>;
	sourceValues: Record<string, unknown>;
	copyValues: Record<string, unknown>;
	/** Returns what an error calls the value with this label. */
	what(label: string): string;
	requestOf: UpdateOf;
}

const planValues = ({
	table,
	sourceValues,
	copyValues,
	what,
	requestOf,
}: RecordPair): PlannedChange[] =>
	Object.entries(table).flatMap(([name, { part, field, kind = 'text' }]) => {
		const value = (sourceValues[name] ?? EMPTY[kind]) as FieldValue;
		if (value === undefined || isSame(kind, value, copyValues[name])) return [];
		const failure = `Portal.io did not set ${what(labelOf({ part, field }))}`;
		const mayDiffer = EMPTY[kind] === '';
		return [{ request: requestOf(part, { [name]: value }), failure, mayDiffer }];
	});

const planDescription: Stage = ({ source }, copy) =>
	planValues({
		table: { description: VALUES.description },
		sourceValues: { description: source.projectDescription },
		copyValues: { description: copy.projectDescription },
		what: () => 'the description',
		requestOf: updateOfProposal(copy.id),
	});

const planTexts: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(({ copiedArea, optionNumber, option, copiedOption }) =>
		planValues({
			table: TEXTS,
			sourceValues: textsOf(option),
			copyValues: textsOf(copiedOption!),
			what: (label) =>
				`the ${label.toLowerCase()} of '${copiedArea!.name}', option ${optionNumber}`,
			requestOf: updateOfOption(copy.id, copiedArea!.id, copiedOption!.id),
		}),
	);

const planItemValues: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(({ option, copiedOption }) => {
		const copies = pairItems(option.items, copiedOption!.items);
		return option.items.flatMap((item) => {
			const copiedItem = copies.get(item.id)!;
			return planValues({
				table: UPDATE_VALUES,
				sourceValues: valuesOf(item),
				copyValues: valuesOf(copiedItem),
				what: (label) => `the '${label}' of item ${copiedItem.id}`,
				requestOf: updateOfItem(copy.id, copiedItem.id),
			});
		});
	});

/** The catalog decides the costs of a copy. */
const valuesOf = (item: AreaItem) => {
	return { ...item, isCombinedPrice: valueOf(item, 'isCombinedPrice'), cost: undefined };
};

/** Each stage needs the results of the stages before it. */
export const STAGES = [
	planAssignment('contact'),
	planAssignment('location'),
	planAreas,
	planOptions,
	planItems,
	planDescription,
	planTexts,
	planItemValues,
] satisfies Stage[];
