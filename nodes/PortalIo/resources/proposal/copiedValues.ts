import {
	optionsOf,
	type AreaItem,
	type PlacedOption,
	type Proposal,
} from '../../../../client/proposal';
import type { FieldValue, ServiceRequest } from '../../../../client/request';
import { isSameValue, type ComparisonKind } from '../../operation/valueEquality';
import {
	labelOf,
	type UpdateRequestBuilder,
	type UpdateValue,
} from '../../operation/updateOperation';
import { OPTION_TEXTS, textsOf, optionUpdate } from '../areaOption';
import { UPDATE_VALUES, itemUpdate, itemValue } from '../item/itemValues';
import { proposalUpdate, PROPOSAL_VALUES } from './update';

export type ComparedCopy = Pick<Proposal, 'areas' | 'projectDescription'>;

export interface CopiedOption extends PlacedOption {
	areaId: number;
	optionId: number;
	/** IDs of the copied items, by the IDs of their originals. */
	itemIds: Map<number, number>;
}

type ValueTable = Record<string, UpdateValue & { kind?: ComparisonKind }>;

export interface RecordCopy {
	table: ValueTable;
	/** Values to copy. An undefined value is not copied. */
	sourceValues: Record<string, unknown>;
	copyValues: Record<string, unknown>;
	buildRequest: UpdateRequestBuilder;
	/** Returns how an error refers to the value with the given label, such as `the description`. */
	what(label: string): string;
}

/**
 * Returns the values to copy, which are the proposal's description, the text fields of its options, and the values of
 * its items, in this order.
 */
export function listCopiedValues(
	source: Proposal,
	copyId: number,
	copiedOptions: CopiedOption[],
	copy: ComparedCopy,
): RecordCopy[] {
	const options = new Map(optionsOf(copy).map(({ option }) => [option.id, option]));
	const copiedItems = [...options.values()].flatMap(({ items }) => items);
	const items = new Map(copiedItems.map((item) => [item.id, item]));
	const description: RecordCopy = {
		table: { description: PROPOSAL_VALUES.description },
		sourceValues: { description: source.projectDescription ?? '' },
		copyValues: { description: copy.projectDescription },
		buildRequest: proposalUpdate(copyId),
		what: () => 'the description',
	};
	const texts = copiedOptions.map(({ area, option, optionNumber, areaId, optionId }) => {
		const copiedOption = options.get(optionId);
		return {
			table: OPTION_TEXTS,
			sourceValues: fillEmpty(OPTION_TEXTS, textsOf(option)),
			copyValues: copiedOption ? textsOf(copiedOption) : {},
			buildRequest: optionUpdate(copyId, areaId, optionId),
			what: (label: string) =>
				`the ${label.toLowerCase()} of '${area.name}', option ${optionNumber}`,
		};
	});
	const itemValues = copiedOptions.flatMap(({ option, itemIds }) =>
		option.items.flatMap((item) => {
			const id = itemIds.get(item.id);
			if (id === undefined) return [];
			return {
				table: UPDATE_VALUES,
				sourceValues: fillEmpty(UPDATE_VALUES, copyableValuesOf(item)),
				copyValues: copyableValuesOf(items.get(id)),
				buildRequest: itemUpdate(copyId, id),
				what: (label: string) => `the '${label}' of item ${id}`,
			};
		}),
	);
	return [description, ...texts, ...itemValues];
}

/** Returns the values of an item to copy. Excludes the cost, which comes from the catalog. */
const copyableValuesOf = (item?: AreaItem): Record<string, unknown> =>
	item === undefined
		? {}
		: { ...item, isCombinedPrice: itemValue(item, 'isCombinedPrice'), cost: undefined };

/** Values to set if the source lacks a value, by kind. Amounts are undefined here, so they are not set. */
const EMPTY: Record<ComparisonKind, unknown> = {
	flag: false,
	id: undefined,
	text: '',
	money: undefined,
	quantity: undefined,
};

const fillEmpty = (table: ValueTable, values: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(table).map(([name, { kind = 'text' }]) => [name, values[name] ?? EMPTY[kind]]),
	);

/** Returns whether Portal.io might store a value of this kind in another form. */
const isReformattable = (kind: ComparisonKind) => EMPTY[kind] === '';

function findMissing({ table, sourceValues, copyValues }: RecordCopy): string[] {
	return Object.keys(table).filter((name) => {
		const { kind = 'text' } = table[name]!;
		const value = sourceValues[name];
		return value !== undefined && !isSameValue(kind, value, copyValues[name]);
	});
}

/** Returns the requests that set the values that are missing in the copy. */
export function planRequests(values: RecordCopy): ServiceRequest[] {
	const { table, sourceValues, buildRequest } = values;
	const missing = findMissing(values);
	return Object.entries(table).flatMap(([name, { part }]) => {
		const value = sourceValues[name] as FieldValue;
		// Send the price again after a new MSRP, because the MSRP can change the price.
		const isPriceAfterMsrp =
			name === 'sellPrice' && value !== undefined && missing.includes('msrp');
		const isSent = missing.includes(name) || isPriceAfterMsrp;
		return isSent ? [buildRequest(part, { [name]: value })] : [];
	});
}

/**
 * Returns a sentence for each value that is missing from the copy. For a text field, only sets `isReformatted`, because
 * Portal.io might have stored the same text in another form.
 */
export function describeMissing(values: RecordCopy): {
	problems: string[];
	isReformatted: boolean;
} {
	const problems: string[] = [];
	let isReformatted = false;
	for (const name of findMissing(values)) {
		const row = values.table[name]!;
		if (isReformattable(row.kind ?? 'text')) isReformatted = true;
		else problems.push(`Portal.io did not set ${values.what(labelOf(row))}`);
	}
	return { problems, isReformatted };
}
