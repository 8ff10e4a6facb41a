/** Compares the items of a proposal with what was sent. */
import { shown } from '../../fields/values';
import type { Finding, FoundItem } from './checkResult';

/** How far numbers may differ: an amount of money is equal to the cent, a quantity to four decimals. */
const CENT = 0.005;
export const QUANTITY_TOLERANCE = 0.000_05;

/** Whether a value is there as it was sent. Where none is there, it counts as 0, false or empty. */
export function isShown(sent: unknown, found: unknown, tolerance = CENT): boolean {
	if (typeof sent === 'boolean') return sent === (found ?? false);
	// Binary fractions are never exactly at the limit.
	if (typeof sent === 'number') return Math.abs(sent - Number(found ?? 0)) <= tolerance + 1e-9;
	return withoutSpacing(sent) === withoutSpacing(found);
}

const withoutSpacing = (text: unknown) =>
	String(text ?? '')
		.replace(/\s+/g, ' ')
		.trim();

/** That a field has another value, as errors say it. */
export const differs = (label: string, found: unknown, sent: unknown) =>
	`'${label}' is ${said(found)}, not ${said(sent)}`;

const said = (value: unknown) =>
	value === undefined || value === null || value === '' ? 'empty' : shown(value);

/** A new item that should be there. */
export interface Wanted {
	/** As errors name it: `row 2`; '' for the only one. */
	name: string;
	areaOptionId: number;
	referencedItemId: number | undefined;
	itemType: string | undefined;
	quantity: number | undefined;
	parentId?: number | undefined;
}

const LABELS = {
	areaOptionId: 'Area Option',
	itemType: 'Item Type',
	quantity: 'Quantity',
	parentId: 'Parent Item',
} as const;

/** How a new item differs from what was sent. */
const differencesOf = (wanted: Wanted, found: FoundItem) =>
	(Object.keys(LABELS) as Array<keyof typeof LABELS>).flatMap((name) => {
		const [sent, there] = [wanted[name], found[name]];
		const isEqual = sent === undefined || isShown(sent, there, QUANTITY_TOLERANCE);
		return isEqual ? [] : [differs(LABELS[name], there, sent)];
	});

const isOfSame = (wanted: Wanted, found: FoundItem) =>
	found.referencedItemId === wanted.referencedItemId;

const isExact = (wanted: Wanted, found: FoundItem) =>
	isOfSame(wanted, found) && differencesOf(wanted, found).length === 0;

/** How many IDs an error names. */
const MAX_IDS = 10;

/**
 * What is missing of new items. Those with the highest IDs count first: for each that is wanted one as it
 * was sent, else one of the same catalog item.
 *
 * @param verb what was to be done with each: `added`
 */
export function lookForNew(wanted: Wanted[], items: FoundItem[], verb: string): Finding {
	const left = items.filter(({ isNew }) => isNew).sort((one, other) => other.id - one.id);
	const take = (fits: (item: FoundItem) => boolean) => {
		const index = left.findIndex(fits);
		return index < 0 ? undefined : left.splice(index, 1)[0];
	};
	const exact = wanted.map((one) => take((item) => isExact(one, item)));
	const made = wanted.map((one, index) => exact[index] ?? take((item) => isOfSame(one, item)));
	const missing = wanted.flatMap((one, index) => {
		const item = made[index];
		if (item === undefined) return [`${one.name || 'the item'} was not ${verb}`];
		const place = one.name === '' ? '' : `${one.name}: `;
		const differences = differencesOf(one, item);
		return differences.length > 0 ? [place + differences.join(' and ')] : [];
	});
	const ids = made.flatMap((item) => (item === undefined ? [] : [item.id]));
	if (ids.length > 0) {
		return {
			missing,
			done: `New in the proposal: ${ids.length} of ${wanted.length} items.`,
			beforeRepeating: `Delete the new items before you run the step again, so that they are not there twice: ${ids.slice(0, MAX_IDS).join(', ')}${ids.length > MAX_IDS ? ' …' : ''}.`,
		};
	}
	const isThereBefore = wanted.some((one) => items.some((item) => isExact(one, item)));
	return {
		missing,
		done: `Nothing was ${verb}.`,
		...(isThereBefore && {
			beforeRepeating:
				'Items like these are in the proposal, but they were created before. Check in Portal.io before you run the step again.',
		}),
	};
}
