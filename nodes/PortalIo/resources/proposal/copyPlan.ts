/** Plans the changes that make a proposal like another one. */
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
import type { UpdateOf } from '../../operation/steps';
import { newArea } from '../area';
import { newOption, TEXTS, textsOf, updateOfOption } from '../areaOption';
import { addRequest, UPDATED, updateOfItem, valueOf } from '../item/values';
import { assign, type Assigned } from './assign';
import { updateOfProposal, VALUES } from './update';

/** The source proposal, with the client, site and salesperson of the copy. */
export interface CopyGoal {
	source: Proposal;
	contactId: number | undefined;
	locationId: number | undefined;
	/** The chosen salesperson. Without one, the copy keeps the salesperson that it was created with. */
	salesPersonId: number | undefined;
}

/** A change that the copy needs. */
export interface PlannedChange {
	request: ServiceRequest;
	/** The message if the copy does not show the change. */
	failure: string;
	/** Whether Portal.io may keep the value in another form. */
	mayDiffer?: boolean;
	/** The advice if Portal.io rejects the request. */
	advice?: string;
}

/** Returns the changes of one kind that the copy still needs and that can be made now. */
export type Stage = (goal: CopyGoal, copy: Proposal) => PlannedChange[];

const planAssignment =
	(what: Assigned): Stage =>
	(goal, { id, customer }) => {
		const newId = goal[`${what}Id`];
		const currentId = what === 'contact' ? customer?.id : customer?.location?.id;
		if (newId === undefined || newId === currentId) return [];
		return [{ request: assign(id, what, newId), failure: `Portal.io did not assign the ${what}` }];
	};

const byId = (first: { id: number }, second: { id: number }) => first.id - second.id;

/** Portal.io may keep the name of an area with other spaces, hyphens or case. */
const NAME_FORMS = [(name: string) => name.trim(), nameKey];

/** Pairs each area, by its ID, with an area of the copy: those of the same name in the order of their creation. */
function pairAreas(source: Area[], copies: Area[]): Map<number, Area> {
	const unpaired = copies.toSorted(byId);
	const pairs = new Map<number, Area>();
	// Equal names come first: the other form of a name may be the name of another area.
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

/** Portal.io documents that the name of a new area must be unique; its own editor may allow others. */
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
	return optionsOf(source).map((placed) => {
		const copiedArea = pairs.get(placed.area.id);
		const copiedOption = copiedArea?.options.toSorted(byId)[placed.optionNumber - 1];
		return { ...placed, copiedArea, copiedOption };
	});
}

/** In the order of their numbers: options pair by their IDs. */
const planOptions: Stage = ({ source }, copy) =>
	pairOptions(source, copy)
		.filter(({ copiedOption }) => copiedOption === undefined)
		.map(({ area, copiedArea, optionNumber, option }) => ({
			request: newOption(copy.id, copiedArea!.id, textsOf(option)),
			failure: `Portal.io did not add option ${optionNumber} to '${area.name}'`,
		}));

/** Pairs items by catalog item and parent, in order; returns copies by original ID. */
export function pairItems(originals: AreaItem[], copies: AreaItem[]): Map<number, AreaItem> {
	const left = copies.toSorted(byId);
	const pairs = new Map<number, AreaItem>();
	const pairAll = (siblings: AreaItem[], parentId: number | undefined) => {
		for (const item of siblings) {
			const index = left.findIndex(
				(copy) =>
					copy.itemType === item.itemType &&
					copy.referencedItemId === item.referencedItemId &&
					isSame('id', parentId, copy.parentId),
			);
			if (index < 0) continue;
			const [copy] = left.splice(index, 1) as [AreaItem];
			pairs.set(item.id, copy);
			const nested = originals.filter((original) => original.parentId === item.id);
			pairAll(nested, copy.id);
		}
	};
	const top = originals.filter((item) => !isNestedIn(originals, item));
	pairAll(top, undefined);
	return pairs;
}

const isNestedIn = (items: AreaItem[], { parentId }: AreaItem) =>
	items.some(({ id }) => id === parentId);

/** Adds missing items; nested ones are added after their parent. */
export const planItems: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(
		({ area, optionNumber, option, copiedOption }): PlannedChange[] => {
			const pairs = pairItems(option.items, copiedOption!.items);
			const missing = option.items.filter(({ id }) => !pairs.has(id));
			const items = missing
				.filter((item) => pairs.has(item.parentId!) || !isNestedIn(option.items, item))
				.map((item) => ({ ...item, parentId: pairs.get(item.parentId!)?.id }));
			if (items.length === 0) return [];
			const failure = `Portal.io did not add ${missing.length} items to '${area.name}', option ${optionNumber}`;
			return [{ request: addRequest(copy.id, copiedOption!.id, items), failure }];
		},
	);

/** The default of a missing value; a missing amount is not copied. */
const EMPTY = {
	flag: false,
	id: undefined,
	image: '',
	text: '',
	money: undefined,
	quantity: undefined,
};

/** The values of a record of the source and of its copy, by name. */
interface RecordPair {
	table: Record<string, { part: string; label: string; kind: keyof typeof EMPTY }>;
	original: Record<string, unknown>;
	present: Record<string, unknown>;
	/** Names a value in an error, by its label. */
	what(label: string): string;
	requestOf: UpdateOf;
}

/** Sets the values in the table that differ. */
const planValues = ({ table, original, present, what, requestOf }: RecordPair): PlannedChange[] =>
	Object.entries(table).flatMap(([name, { part, label, kind }]) => {
		const value = (original[name] ?? EMPTY[kind]) as FieldValue;
		if (value === undefined || isSame(kind, value, present[name])) return [];
		const failure = `Portal.io did not set ${what(label)}`;
		const mayDiffer = EMPTY[kind] === '';
		return [{ request: requestOf(part, { [name]: value }), failure, mayDiffer }];
	});

const planDescription: Stage = ({ source }, copy) =>
	planValues({
		table: { description: VALUES.description },
		original: { description: source.projectDescription },
		present: { description: copy.projectDescription },
		what: () => 'the description',
		requestOf: updateOfProposal(copy.id),
	});

const planTexts: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(({ copiedArea, optionNumber, option, copiedOption }) =>
		planValues({
			table: TEXTS,
			original: textsOf(option),
			present: textsOf(copiedOption!),
			what: (label) =>
				`the ${label.toLowerCase()} of '${copiedArea!.name}', option ${optionNumber}`,
			requestOf: updateOfOption(copy.id, copiedArea!.id, copiedOption!.id),
		}),
	);

const planItemValues: Stage = ({ source }, copy) =>
	pairOptions(source, copy).flatMap(({ option, copiedOption }) => {
		const copies = pairItems(option.items, copiedOption!.items);
		return option.items.flatMap((item) => {
			const copied = copies.get(item.id)!;
			return planValues({
				table: UPDATED,
				original: valuesOf(item),
				present: valuesOf(copied),
				what: (label) => `the '${label}' of item ${copied.id}`,
				requestOf: updateOfItem(copy.id, copied.id),
			});
		});
	});

/** Costs are those of the catalog. */
const valuesOf = (item: AreaItem) => {
	return { ...item, isCombinedPrice: valueOf(item, 'isCombinedPrice'), cost: undefined };
};

/** A new copy is created with its salesperson; an unfinished copy may have another one. */
const planSalesperson: Stage = ({ salesPersonId }, { id, dealer }) =>
	planValues({
		table: { salesPersonId: { ...VALUES.salesPersonId, kind: 'id' } },
		original: { salesPersonId },
		present: { salesPersonId: dealer?.salesperson?.id ?? salesPersonId },
		what: () => 'the salesperson',
		requestOf: updateOfProposal(id),
	});

/** Each stage needs the results of the earlier ones. */
export const STAGES = [
	planAssignment('contact'),
	planAssignment('location'),
	planAreas,
	planOptions,
	planItems,
	planDescription,
	planTexts,
	planItemValues,
	planSalesperson,
] satisfies Stage[];
