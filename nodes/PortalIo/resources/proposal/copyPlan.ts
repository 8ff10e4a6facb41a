/** Plans the changes that make a proposal like another one. */
import { newOption, optionText } from '../areaOption';
import { assumedFields, UPDATED, updateRequest, valueOf, type UpdatedName } from '../item/values';
import {
	areasOf,
	isSame,
	optionsOf,
	path,
	toPascalCase,
	type AreaItem,
	type PlacedOption,
	type Proposal,
	type ReadArea,
	type ServiceRequest,
} from '../kit';
import { assign } from './assign';

/** The source proposal, with the client and site of the copy. */
export interface CopyGoal {
	source: Proposal;
	contactId: number | undefined;
	locationId: number | undefined;
}

/** A change that the copy needs. */
export interface Change {
	request: ServiceRequest;
	/** The message if the copy does not show the change; it is unique. */
	failure: string;
	/** Whether Portal.io may keep the value in another form. */
	mayDiffer?: boolean;
}

/** Returns the changes of one kind that the copy still needs and that can be made now. */
export type Stage = (goal: CopyGoal, copy: Proposal) => Change[];

const planAssignment =
	(what: 'contact' | 'location'): Stage =>
	(goal, { id, customer }) => {
		const newId = goal[`${what}Id`];
		const currentId = what === 'contact' ? customer?.id : customer?.location?.id;
		if (newId === undefined || newId === currentId) return [];
		const failure = `Portal.io did not assign the ${what}`;
		return [{ request: assign(id, what, newId), failure }];
	};

/** Names of areas are unique in a proposal. */
const nameOf = ({ name }: ReadArea) => String(name).trim().toLowerCase();

const areasByName = (proposal: Pick<Proposal, 'areas'>) =>
	new Map(areasOf(proposal).map((area) => [nameOf(area), area]));

/** One at a time, to keep the order of the areas. */
const planAreas: Stage = ({ source }, copy) => {
	const present = areasByName(copy);
	return areasOf(source)
		.filter((area) => !present.has(nameOf(area)))
		.slice(0, 1)
		.map(({ name }) => ({
			request: {
				method: 'POST',
				path: path`/public/proposals/${copy.id}/area`,
				form: toPascalCase({ name }),
			},
			failure: `Portal.io did not add the area '${name}'`,
		}));
};

interface OptionPair extends PlacedOption {
	ownArea: ReadArea | undefined;
	own: PlacedOption['option'] | undefined;
}

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

/** Pairs options by area, in the order in which they were added. */
export function pairOptions(source: Proposal, copy: Pick<Proposal, 'areas'>): OptionPair[] {
	const areas = areasByName(copy);
	return optionsOf(source).map((one) => {
		const ownArea = areas.get(nameOf(one.area));
		return { ...one, ownArea, own: ownArea?.options.toSorted(byId)[one.place - 1] };
	});
}

/** One at a time, because options are paired by their order. */
const planOptions: Stage = ({ source }, copy) =>
	pairOptions(source, copy)
		.filter(({ own }) => own === undefined)
		.slice(0, 1)
		.map(({ area, ownArea, place, option: { clientDescription, installerDescription } }) => ({
			request: newOption(copy.id, ownArea!.id, {
				clientDescription,
				installerNotes: installerDescription,
			}),
			failure: `Portal.io did not add option ${place} to '${area.name}'`,
		}));

/** Pairs items by catalog item and parent, in order; returns copies by original ID. */
export function pairItems(originals: AreaItem[], copies: AreaItem[]): Map<number, AreaItem> {
	const left = copies.toSorted(byId);
	const pairs = new Map<number, AreaItem>();
	const pairAll = (siblings: AreaItem[], parentId: number | undefined) => {
		for (const item of siblings) {
			const index = left.findIndex(
				(one) =>
					one.itemType === item.itemType &&
					one.referencedItemId === item.referencedItemId &&
					isSame('id', parentId, one.parentId),
			);
			if (index < 0) continue;
			const [copy] = left.splice(index, 1) as [AreaItem];
			pairs.set(item.id, copy);
			const nested = originals.filter((one) => one.parentId === item.id);
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
	pairOptions(source, copy).flatMap(({ area, place, option, own }): Change[] => {
		const pairs = pairItems(option.items, own!.items);
		const missing = option.items.filter(({ id }) => !pairs.has(id));
		const items = missing
			.filter((item) => pairs.has(item.parentId!) || !isNestedIn(option.items, item))
			.map(({ referencedItemId, itemType, quantity, parentId }) => ({
				...{ itemId: referencedItemId, itemType, quantity },
				parentId: pairs.get(parentId!)?.id,
			}));
		if (items.length === 0) return [];
		const request: ServiceRequest = {
			method: 'POST',
			path: path`/public/proposals/${copy.id}/items`,
			form: assumedFields({ areaOptionId: own!.id, items }),
		};
		return [
			{
				request,
				failure: `Portal.io did not add ${missing.length} items to '${area.name}', option ${place}`,
			},
		];
	});

/** The values of items that are copied, in this order: a new MSRP may change the price. */
const COPIED: UpdatedName[] = [
	...(['quantity', 'msrp', 'sellPrice', 'isCombinedPrice', 'isTaxExempt'] as const),
	...(['isRecurringService', 'shortDescription', 'clientNote', 'imageUrl'] as const),
];

/** The default of a missing value; a missing amount is not copied. */
const EMPTY = { flag: false, image: '', text: '', money: undefined, quantity: undefined };

function planItemValues(copyId: number, original: AreaItem, own: AreaItem): Change[] {
	return COPIED.flatMap((name): Change[] => {
		const { kind, label } = UPDATED[name];
		const value = valueOf(original, name) ?? EMPTY[kind];
		const comparison = kind === 'image' ? 'text' : kind;
		if (value === undefined || isSame(comparison, value, valueOf(own, name))) return [];
		return [
			{
				request: updateRequest(copyId, own.id, { [name]: value as string }),
				failure: `Portal.io did not set the '${label}' of item ${own.id}`,
				mayDiffer: comparison === 'text',
			},
		];
	});
}

function planText(
	what: string,
	text: string | null | undefined,
	present: string | null | undefined,
	requestOf: (text: string) => ServiceRequest,
): Change[] {
	if (isSame('text', text, present)) return [];
	const failure = `Portal.io did not set ${what}`;
	return [{ request: requestOf(text ?? ''), failure, mayDiffer: true }];
}

const planValues: Stage = ({ source }, copy) => [
	...planText(
		'the description',
		source.projectDescription,
		copy.projectDescription,
		(description) => ({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${copy.id}/description`,
			form: toPascalCase({ description }),
		}),
	),
	...pairOptions(source, copy).flatMap(({ ownArea, place, option, own }) => {
		const ids = [copy.id, ownArea!.id, own!.id] as const;
		const where = `of '${ownArea!.name}', option ${place}`;
		const items = pairItems(option.items, own!.items);
		return [
			...planText(
				`the client description ${where}`,
				option.clientDescription,
				own!.clientDescription,
				(clientDescription) => optionText(...ids, { clientDescription }),
			),
			...planText(
				`the installer notes ${where}`,
				option.installerDescription,
				own!.installerDescription,
				(installerNotes) => optionText(...ids, { installerNotes }),
			),
			...option.items.flatMap((item) => planItemValues(copy.id, item, items.get(item.id)!)),
		];
	}),
];

/** Each stage needs the results of the earlier ones. */
export const STAGES = [
	planAssignment('contact'),
	planAssignment('location'),
	planAreas,
	planOptions,
	planItems,
	planValues,
] satisfies Stage[];
