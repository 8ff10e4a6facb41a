/**
 * Checks in the proposal what a change of items has done: the items that show it are also the output.
 * Portal.io may ignore a field whose name is assumed, and respond with success. Each operation on
 * items whose request is assumed therefore fails if the proposal does not show the change.
 */
import { PortalError } from '../../../../client/errors';
import {
	isProposal,
	itemsOf,
	proposalAfterChange,
	readProposal,
	type Proposal,
	type ProposalItem,
} from '../../../../client/proposal';
import { linesOf } from '../../fields/values';
import { differs } from '../../operation/comparison';
import { newRecords, unconfirmed } from '../../operation/confirm';
import type { Call } from '../../operation/operation';
import type { Result } from '../../operation/output';
import { matchItems, withNestedItems, type ExpectedItem, type Match } from './match';
import { ITEM_VALUES, UPDATED, updateOfItem, valueOf, type UpdatedName } from './values';

/** A call of an operation; only those whose request is assumed have the option *Check Result*. */
export type ItemCall = Call<{ proposalId: number; options?: { checkResult?: boolean } }>;

/** Whether the operation has the option *Check Result*, and it is on, as it is by default. */
export const isChecked = ({ values: { options } }: ItemCall) =>
	options !== undefined && options.checkResult !== false;

/** The items before a change; undefined with *Check Result* off, where nothing is read first. */
export const itemsBeforeChange = async (call: ItemCall): Promise<ProposalItem[] | undefined> =>
	isChecked(call) ? itemsOf(await readProposal(call, call.values.proposalId)) : undefined;

/** @throws PortalError with the IDs that are not in the proposal, before anything is sent */
export function assertInProposal(before: ProposalItem[] | undefined, itemIds: number[]): void {
	if (before === undefined) return;
	const ids = new Set(before.map(({ id }) => id));
	const missingIds = itemIds.filter((id) => !ids.has(id));
	if (missingIds.length === 0) return;
	const what =
		missingIds.length === 1
			? `Item ${missingIds[0]} isn't in this proposal`
			: `${missingIds.length} items aren't in this proposal: ${idsInWords(missingIds)}`;
	throw new PortalError(what, { advice: ['Choose items of the proposal.'] });
}

const MAX_NAMED_IDS = 10;

/** As in `1, 2, 3`, up to ten. */
const idsInWords = (ids: number[]) =>
	ids.slice(0, MAX_NAMED_IDS).join(', ') + (ids.length > MAX_NAMED_IDS ? ' …' : '');

interface AfterChange {
	/** The response to the change, or the proposal as it was read again. */
	shown: unknown;
	/** The items in it; none if it is not a proposal. */
	items: ProposalItem[];
}

/** The items after a change. With *Check Result* off, these are the items in the response, if any. */
export async function itemsAfterChange(call: ItemCall, response: unknown): Promise<AfterChange> {
	try {
		const shown = isChecked(call)
			? await proposalAfterChange(call, call.values.proposalId, response)
			: response;
		return { shown, items: isProposal(shown) ? itemsOf(shown) : [] };
	} catch (failure) {
		throw unconfirmed(failure as Error);
	}
}

interface ItemChange {
	response: unknown;
	/** The items before the change, if they were read. */
	before?: ProposalItem[];
	expected: ExpectedItem[];
	/** The verb for new items: `added`. */
	verb?: string;
	/** Whether the output includes the items nested under the expected ones. */
	includesNested?: boolean;
}

/**
 * The items that a change created or updated. Throws a PortalError if the check fails. Without a check,
 * the result is a confirmation unless the response shows every item without doubt.
 */
export async function itemsResult(call: ItemCall, change: ItemChange): Promise<Result> {
	const { response, before, expected, includesNested = false } = change;
	const after = await itemsAfterChange(call, response);
	// Without the items before, no item of the response is known to be new.
	const matches = matchItems(expected, before ?? after.items, after.items);
	const ids = matches.flatMap(({ item }) => item?.id ?? []);
	const items = includesNested
		? withNestedItems(after.items, ids)
		: after.items.filter(({ id }) => ids.includes(id)).toSorted((a, b) => a.id - b.id);
	if (isChecked(call)) assertMatched(call, change, matches, after);
	const isShown = ids.length > 0 && ids.length === expected.length;
	// Text is output as a confirmation with the sent IDs; a proposal would look like an item.
	const acknowledgment = isProposal(response) ? '' : response;
	return { records: isShown ? items : [acknowledgment], raw: after.shown };
}

/** Throws a PortalError that says which changes the proposal does not show. */
function assertMatched(
	call: ItemCall,
	{ before = [], verb }: ItemChange,
	matches: Match[],
	after: AfterChange,
): void {
	const failed = matches.filter(
		({ item, differences }) => item === undefined || differences.length > 0,
	);
	if (failed.length === 0) return;
	const lines = failed.flatMap(({ expected: { name, id, values }, item, differences }) => {
		if (item === undefined && id !== undefined) return [`item ${id} is not in the proposal`];
		if (item === undefined) return [`${name || 'the item'} was not ${verb}`];
		const prefix = name && `${name}: `;
		return differences.map(
			(value) => prefix + differs(ITEM_VALUES[value].label, valueOf(item, value), values[value]),
		);
	});
	throw resultError(
		call,
		lines,
		verb === undefined
			? progressOfUpdate(failed[0]!, call.values.proposalId)
			: progressOfAddition(newRecords(before, after.items), after.shown as Proposal),
	);
}

interface CheckedProgress {
	/** The completed part, as a sentence. */
	done?: string;
	/** Advice before the step is run again; without it, the step can safely be run again. */
	beforeRepeating?: string;
	/** The path of the request that did not take effect, if it was not the last one. */
	path?: string;
}

/** Names all new items, because another user may have added some of them at the same moment. */
function progressOfAddition(added: ProposalItem[], { number }: Proposal): CheckedProgress {
	if (added.length === 0) return { done: `Proposal ${number} has no new items.` };
	const ids = idsInWords(added.map(({ id }) => id));
	return {
		done: `New items: ${added.length}.`,
		beforeRepeating: `To avoid duplicates, delete those of this step before you run it again: ${ids}.`,
	};
}

function progressOfUpdate({ expected, differences }: Match, proposalId: number): CheckedProgress {
	const { id, values } = expected;
	const updated = (Object.keys(UPDATED) as UpdatedName[]).filter(
		(name) => values[name] !== undefined,
	);
	const failed = updated.find((name) => differences.includes(name));
	if (failed === undefined) return {};
	const labelsOf = (names: UpdatedName[]) =>
		names.map((name) => `'${UPDATED[name].label}'`).join(', ');
	const setLabels = labelsOf(updated.filter((name) => !differences.includes(name)));
	const otherLabels = labelsOf(updated.filter((name) => differences.includes(name)));
	const isSet = setLabels === '' ? `Item ${id} has none of the new values.` : `Set: ${setLabels}.`;
	return {
		// Without a field that it knows, Portal.io may set 0 or an empty text.
		done: `${isSet} The request may have changed ${otherLabels} to another value, or someone else did at the same moment: check the item in Portal.io.`,
		path: updateOfItem(proposalId, id!)(UPDATED[failed].part, {}).path,
	};
}

/** @param problems the ends of sentences: `'Quantity' is 1, not 3` */
export function resultError(
	{ baseUrl, lastChange }: Call,
	problems: string[],
	{
		done = '',
		beforeRepeating = 'You can safely run the step again.',
		path = lastChange?.path,
	}: CheckedProgress = {},
): PortalError {
	const isSingle = problems.length === 1;
	const what = isSingle ? problems[0]! : `${problems.length} changes did not take effect`;
	const howToSend = `Another user may have changed the proposal at the same moment: read it again. If it still does not have the change, Portal.io may use another field name in ${lastChange?.method} ${baseUrl}${path}. You can send it with an HTTP Request node: set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', which signs it. If Portal.io only formats values differently, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
	return new PortalError(`Portal.io accepted the request, but ${what}`, {
		progress: [isSingle ? '' : linesOf(problems.map((problem) => `${problem}.`)), done],
		advice: [howToSend, beforeRepeating],
	});
}
