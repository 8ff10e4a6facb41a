/** Plans the changes that make a proposal like another one. */
import { areasOf, optionsOf } from '../../../../client/model';
import type { Area, AreaItem, PlacedOption, Proposal } from '../../../../client/model';
import { isSame } from '../../operation/changes';
import { areasNamed, newArea } from '../area';
import { newOption, TEXTS, textsOf, updateOfOption, type TextName } from '../areaOption';
import { addRequest, UPDATED, updateOfItem, valueOf, type ItemValueName } from '../item/values';
import { path, request, type FieldValue, type ServiceRequest } from '../kit';
import { assign } from './create';

/** The source proposal, with the client and site of the copy. */
export interface CopyGoal {
	source: Proposal;
	contactId: number | undefined;
	locationId: number | undefined;
}

/** A change that the copy needs. */
export interface Change {
	request: ServiceRequest;
	/** The message if the copy does not show the change. */
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

/**
 * The area of a copy that stands for one of the source. Portal.io may keep its name in another form,
 * which must not be the name of another area of the source.
 */
const areaLike = ({ name }: Area, copies: Area[], source: Area[]) =>
	areasNamed(copies, String(name)).find(
		(copy) => copy.name === name || source.every((other) => other.name !== copy.name),
	);

const planAreas: Stage = ({ source }, copy) => {
	const present = areasOf(copy);
	const areas = areasOf(source);
	const missing = areas.filter((area) => areaLike(area, present, areas) === undefined);
	// Areas of the same name become one.
	return [...new Set(missing.map(({ name }) => name))].map((name) => ({
		request: newArea(copy.id, name),
		failure: `Portal.io did not add the area '${name}'`,
	}));
};

interface OptionPair extends PlacedOption {
	ownArea: Area | undefined;
	own: PlacedOption['option'] | undefined;
}

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

/** Pairs options by area, in the order in which they were added. */
export function pairOptions(source: Proposal, copy: Pick<Proposal, 'areas'>): OptionPair[] {
	const copies = areasOf(copy);
	const areas = areasOf(source);
	return optionsOf(source).map((one) => {
		const ownArea = areaLike(one.area, copies, areas);
		return { ...one, ownArea, own: ownArea?.options.toSorted(byId)[one.place - 1] };
	});
}

/** In the order of their places: options pair by their IDs. */
const planOptions: Stage = ({ source }, copy) =>
	pairOptions(source, copy)
		.filter(({ own }) => own === undefined)
		.map(({ area, ownArea, place, option }) => ({
			request: newOption(copy.id, ownArea!.id, textsOf(option)),
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
			.map((item) => ({ ...item, parentId: pairs.get(item.parentId!)?.id }));
		if (items.length === 0) return [];
		const failure = `Portal.io did not add ${missing.length} items to '${area.name}', option ${place}`;
		return [{ request: addRequest(copy.id, own!.id, items), failure }];
	});

/** In the order of sending: a new MSRP may change the price. Costs are those of the catalog. */
const { quantity, msrp, ...others } = UPDATED;
const COPIED = Object.entries({ quantity, msrp, ...others }).filter(([name]) => name !== 'cost');

/** The default of a missing value; a missing amount is not copied. */
const EMPTY = { flag: false, image: '', text: '', money: undefined, quantity: undefined };

const planValues: Stage = ({ source }, copy) => {
	const { id, projectDescription } = copy;
	const changes: Change[] = [];
	const plan = (
		what: string,
		kind: keyof typeof EMPTY,
		[original, present]: [unknown, unknown],
		requestOf: (value: FieldValue) => ServiceRequest,
	) => {
		const value = (original ?? EMPTY[kind]) as FieldValue;
		if (value === undefined || isSame(kind, value, present)) return;
		const failure = `Portal.io did not set ${what}`;
		changes.push({ request: requestOf(value), failure, mayDiffer: EMPTY[kind] === '' });
	};
	const descriptions: [unknown, unknown] = [source.projectDescription, projectDescription];
	plan('the description', 'text', descriptions, (description) =>
		request.set(path`/public/proposals/${id}/description`, { description }),
	);
	for (const { ownArea, place, option, own } of pairOptions(source, copy)) {
		for (const name of Object.keys(TEXTS) as TextName[]) {
			const label = TEXTS[name].field.property.displayName.toLowerCase();
			const what = `the ${label} of '${ownArea!.name}', option ${place}`;
			plan(what, 'text', [textsOf(option)[name], textsOf(own!)[name]], (text) =>
				updateOfOption(id, ownArea!.id, own!.id)(TEXTS[name].part, { [name]: text }),
			);
		}
		const copies = pairItems(option.items, own!.items);
		for (const item of option.items) {
			const copy = copies.get(item.id)!;
			for (const [name, { kind, label, part }] of COPIED) {
				const what = `the '${label}' of item ${copy.id}`;
				const [original, present] = [item, copy].map((one) => valueOf(one, name as ItemValueName));
				plan(what, kind, [original, present], (value) =>
					updateOfItem(id, copy.id)(part, { [name]: value }),
				);
			}
		}
	}
	return changes;
};

/** Each stage needs the results of the earlier ones. */
export const STAGES = [
	planAssignment('contact'),
	planAssignment('location'),
	planAreas,
	planOptions,
	planItems,
	planValues,
] satisfies Stage[];
