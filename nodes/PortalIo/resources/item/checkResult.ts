/**
 * Checks whether the proposal shows a change to items. The names of some fields are assumptions, and Portal.io can
 * ignore an unknown field and still report success. So an operation fails if the proposal does not show the change.
 */
import { PortalError } from '../../../../client/errors';
import {
	isProposal,
	itemsOf,
	readChangedProposal,
	readProposal,
	type Proposal,
	type ProposalItem,
} from '../../../../client/proposal';
import * as field from '../../fields/fieldTypes';
import { joinLines } from '../../fields/fieldError';
import { findNewRecords, unconfirmedError } from '../../operation/changedRecords';
import type { OperationCall } from '../../operation/operation';
import {
	describeDifference,
	findDifferences,
	type ItemValueName,
	type ItemValues,
} from './itemValues';

export const checkResult = field.flag('Check Result', {
	description:
		'Whether to read the proposal after the change, and fail if it does not show the change',
});

export type CheckedCall = OperationCall<{ proposalId: number; options: { checkResult?: boolean } }>;

export const isChecked = ({ values: { options } }: CheckedCall) => options.checkResult !== false;

/** Returns the items before a change; undefined if *Check Result* is off. */
export const readItemsBefore = async (call: CheckedCall): Promise<ProposalItem[] | undefined> =>
	isChecked(call) ? itemsOf(await readProposal(call, call.values.proposalId)) : undefined;

/**
 * Throws a PortalError if any of the items is not in the proposal, so no change is sent. The error lists the missing
 * IDs.
 */
export function assertInProposal(
	before: ProposalItem[] | undefined,
	itemIds: number[],
	advice = '',
): void {
	if (before === undefined) return;
	const ids = new Set(before.map(({ id }) => id));
	const missingIds = itemIds.filter((id) => !ids.has(id));
	if (missingIds.length === 0) return;
	const what =
		missingIds.length === 1
			? `Item ${missingIds[0]} is not in this proposal`
			: `${missingIds.length} items are not in this proposal: ${joinIds(missingIds)}`;
	throw new PortalError(what, { advice: ['Choose items in this proposal.', advice] });
}

const MAX_NAMED_IDS = 10;

/** Joins up to ten IDs, as in `1, 2, 3 …`. */
const joinIds = (ids: number[]) =>
	ids.slice(0, MAX_NAMED_IDS).join(', ') + (ids.length > MAX_NAMED_IDS ? ' …' : '');

/** Returns the proposal after a change. Reads the proposal again if the response lacks the items. */
export async function readAfterChange(call: CheckedCall, response: unknown): Promise<Proposal> {
	try {
		return await readChangedProposal(call, call.values.proposalId, response);
	} catch (failure) {
		throw unconfirmedError(failure as Error);
	}
}

/** A new item that a change requested, or an existing item with its new values. */
export interface RequestedItem {
	/** Name of the row in errors, such as `row 2`; '' if there is only one row. */
	name: string;
	/** ID of an existing item before the change, which might give the item another ID. */
	id?: number;
	values: ItemValues;
}

interface ComparedRow {
	row: RequestedItem;
	item?: ProposalItem;
	differences: ItemValueName[];
}

/**
 * Compares each row with the item that has the row's ID. If that item does not exist, compares the row with the new
 * item that comes from the same catalog item and differs least. Matches the closest pairs first, so an item that is
 * right for one row is not matched with another. The new items can include some that another user added at the same
 * time.
 */
export function compareRows(
	rows: RequestedItem[],
	before: ProposalItem[],
	after: ProposalItem[],
): ComparedRow[] {
	const created = findNewRecords(before, after);
	const pairs = rows.flatMap((row) => {
		const kept = after.find(({ id }) => id === row.id);
		const { referencedItemId } = row.values;
		const candidates = kept
			? [kept]
			: created.filter((item) => item.referencedItemId === referencedItemId);
		return candidates.map((item) => ({
			row,
			item,
			differences: findDifferences(item, row.values),
		}));
	});
	pairs.sort((first, second) => first.differences.length - second.differences.length);
	const matches = new Map<RequestedItem, ComparedRow>();
	const matchedItems = new Set<ProposalItem>();
	for (const pair of pairs) {
		if (matches.has(pair.row) || matchedItems.has(pair.item)) continue;
		matches.set(pair.row, pair);
		matchedItems.add(pair.item);
	}
	return rows.map((row) => matches.get(row) ?? { row, differences: [] });
}

/**
 * Returns the item for each row. Throws a PortalError if the proposal does not show the change.
 *
 * @param verb past participle that names the change, such as `added`
 */
export function requireItems(
	call: CheckedCall,
	rows: ComparedRow[],
	verb: string,
	progress?: CheckedProgress,
): ProposalItem[] {
	const problems = rows.flatMap(({ row: { name, values }, item, differences }) => {
		if (item === undefined) return [`${name || 'the item'} was not ${verb}`];
		const prefix = name && `${name}: `;
		return differences.map((value) => prefix + describeDifference(item, values, value));
	});
	if (problems.length > 0) throw resultError(call, problems, progress);
	return rows.flatMap(({ item }) => item ?? []);
}

/**
 * Describes all new items, because the items that this step added cannot be told apart from those that another user
 * added at the same time.
 */
export function describeCreation(before: ProposalItem[], after: Proposal): CheckedProgress {
	const created = findNewRecords(before, itemsOf(after));
	if (created.length === 0) return { done: `Proposal ${after.number} has no new items.` };
	const ids = joinIds(created.map(({ id }) => id));
	return {
		done: `New items: ${created.length}.`,
		beforeRepeating: `To avoid duplicates, delete the items that this step added before you run it again: ${ids}.`,
	};
}

/**
 * Returns the items with the given IDs from the response to an unchecked change. Returns an empty list if the response
 * lacks any of these items. New items are not returned, because they cannot be recognized in the response.
 */
export function selectUnchecked(response: unknown, ids: number[]): ProposalItem[] {
	try {
		const items = isProposal(response) ? selectItems(itemsOf(response), ids) : [];
		return items.length === ids.length ? items : [];
	} catch (failure) {
		throw unconfirmedError(failure as Error);
	}
}

/** Returns the items with the given IDs, sorted by ID. */
export function selectItems(items: ProposalItem[], ids: Iterable<number>): ProposalItem[] {
	const selectedIds = new Set(ids);
	return items
		.filter(({ id }) => selectedIds.has(id))
		.toSorted((first, second) => first.id - second.id);
}

/** Returns the items with the given IDs, and the items nested under them, in the order of their IDs. */
export function selectWithNested(all: ProposalItem[], ids: Iterable<number>): ProposalItem[] {
	const selectedIds = new Set(ids);
	let previousSize: number;
	do {
		previousSize = selectedIds.size;
		for (const { id, parentId } of all) if (selectedIds.has(parentId!)) selectedIds.add(id);
	} while (selectedIds.size > previousSize);
	return selectItems(all, selectedIds);
}

export interface CheckedProgress {
	/** Sentence about the completed part. */
	done?: string;
	/** Advice on running the step again. By default, it says that the step can safely be run again. */
	beforeRepeating?: string;
	/** Path of the request that did not take effect. Defaults to the path of the last request. */
	path?: string;
}

const TELL_USER = 'tell the user that Portal.io did not apply it.';

/** @param problems ends of sentences, such as `'Quantity' is 1, not 3` */
export function resultError(
	{ baseUrl, isTool, lastChange }: OperationCall,
	problems: string[],
	{
		done = '',
		beforeRepeating = 'You can safely run the step again.',
		path = lastChange?.path,
	}: CheckedProgress = {},
): PortalError {
	const isSingle = problems.length === 1;
	const what = isSingle ? problems[0]! : `${problems.length} changes did not take effect`;
	const readAgain =
		'Another user might have changed the proposal at the same time. Read the proposal again. If the change is still missing,';
	const howToSend = `Portal.io might use a different field name in ${lastChange?.method} ${baseUrl}${path}. To try another name, send the change with an HTTP Request node. Set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', so the request is signed. If the change is there but in a different format, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
	return new PortalError(`Portal.io accepted the request, but ${what}`, {
		progress: [isSingle ? '' : joinLines(problems), done],
		advice: [`${readAgain} ${isTool ? TELL_USER : howToSend}`, beforeRepeating],
	});
}
