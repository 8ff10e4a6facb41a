/**
 * Checks in the proposal whether a change of items took effect, and returns the items that show it. The
 * names of some fields are assumptions: Portal.io may ignore such a field and respond with success. The
 * operations with such fields therefore fail if the proposal does not show the change.
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
import { joinLines } from '../../fields/fieldError';
import { differs } from '../../operation/comparison';
import { newRecords, unconfirmed } from '../../operation/confirm';
import type { Call } from '../../operation/operation';
import type { Result } from '../../operation/output';
import { matchItems, withNestedItems, type ExpectedItem, type Match } from './match';
import { ITEM_VALUES, UPDATE_VALUES, updateOfItem, valueOf, type UpdateName } from './values';

/** A call of an operation that has the option *Check Result*. */
export type CheckedCall = Call<{ proposalId: number; options: { checkResult?: boolean } }>;

/** *Check Result* is on by default. */
export const isChecked = ({ values: { options } }: CheckedCall) => options.checkResult !== false;

/** Returns the items before a change; undefined if *Check Result* is off. */
export const itemsBeforeChange = async (call: CheckedCall): Promise<ProposalItem[] | undefined> =>
	isChecked(call) ? itemsOf(await readProposal(call, call.values.proposalId)) : undefined;

/** Throws a PortalError with the IDs that are not in the proposal, before anything is sent. */
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
			? `Item ${missingIds[0]} isn't in this proposal`
			: `${missingIds.length} items aren't in this proposal: ${idsInWords(missingIds)}`;
	throw new PortalError(what, { advice: ['Choose items of the proposal.', advice] });
}

const MAX_NAMED_IDS = 10;

/** Returns up to ten IDs: `1, 2, 3 …`. */
const idsInWords = (ids: number[]) =>
	ids.slice(0, MAX_NAMED_IDS).join(', ') + (ids.length > MAX_NAMED_IDS ? ' …' : '');

interface AfterChange {
	/** The response to the change, or the proposal if it was read again. */
	raw: unknown;
	/** The items of the proposal; empty if the response is not a proposal. */
	items: ProposalItem[];
}

/** Returns the items after a change. If *Check Result* is off, it returns only the items in the response. */
export async function itemsAfterChange(call: CheckedCall, response: unknown): Promise<AfterChange> {
	if (!isChecked(call)) return itemsInResponse(response);
	try {
		const proposal = await proposalAfterChange(call, call.values.proposalId, response);
		return { raw: proposal, items: itemsOf(proposal) };
	} catch (failure) {
		throw unconfirmed(failure as Error);
	}
}

function itemsInResponse(response: unknown): AfterChange {
	try {
		return { raw: response, items: isProposal(response) ? itemsOf(response) : [] };
	} catch (failure) {
		throw unconfirmed(failure as Error);
	}
}

/** The output would show a proposal as if it were an item. Text becomes a confirmation with the sent IDs. */
const confirmationOf = (response: unknown) => (isProposal(response) ? '' : response);

interface ItemChange {
	response: unknown;
	/** The items before the change, if they were read. */
	before?: ProposalItem[];
	expectedItems: ExpectedItem[];
	/** The verb for new items, such as `added`. */
	verb?: string;
	/** True if the output includes the items that are nested under the expected items. */
	includesNested?: boolean;
}

/**
 * Returns the items that a change created or updated; throws a PortalError if the check fails. If *Check
 * Result* is off, it returns a confirmation unless the response identifies every item.
 */
export async function itemsResult(call: CheckedCall, change: ItemChange): Promise<Result> {
	const { response, before, expectedItems, includesNested = false } = change;
	const after = await itemsAfterChange(call, response);
	// An item of the response is only new if the items before the change are known.
	const matches = matchItems(expectedItems, before ?? after.items, after.items);
	const ids = matches.flatMap(({ item }) => item?.id ?? []);
	const items = includesNested
		? withNestedItems(after.items, ids)
		: after.items.filter(({ id }) => ids.includes(id)).toSorted((a, b) => a.id - b.id);
	if (isChecked(call)) assertMatched(call, change, matches, after);
	const isShown = ids.length > 0 && ids.length === expectedItems.length;
	return { records: isShown ? items : [confirmationOf(response)], raw: after.raw };
}

/** Throws a PortalError that says which changes the proposal does not show. */
function assertMatched(
	call: CheckedCall,
	{ before = [], verb }: ItemChange,
	matches: Match[],
	after: AfterChange,
): void {
	const mismatches = matches.filter(
		({ item, differences }) => item === undefined || differences.length > 0,
	);
	if (mismatches.length === 0) return;
	const lines = mismatches.flatMap(({ expectedItem: { name, id, values }, item, differences }) => {
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
			? progressOfUpdate(mismatches[0]!, call.values.proposalId)
			: progressOfAddition(newRecords(before, after.items), after.raw as Proposal),
	);
}

interface CheckedProgress {
	/** A sentence about the completed part. */
	done?: string;
	/** Advice before the step is run again; if absent, the step can safely be run again. */
	beforeRepeating?: string;
	/** The path of the request that did not take effect; if absent, it was the last request. */
	path?: string;
}

/** Names all new items, because another user may have added some of them at the same moment. */
function progressOfAddition(newItems: ProposalItem[], { number }: Proposal): CheckedProgress {
	if (newItems.length === 0) return { done: `Proposal ${number} has no new items.` };
	const ids = idsInWords(newItems.map(({ id }) => id));
	return {
		done: `New items: ${newItems.length}.`,
		beforeRepeating: `To avoid duplicates, delete those of this step before you run it again: ${ids}.`,
	};
}

function progressOfUpdate(
	{ expectedItem, differences }: Match,
	proposalId: number,
): CheckedProgress {
	const { id, values } = expectedItem;
	const sentNames = (Object.keys(UPDATE_VALUES) as UpdateName[]).filter(
		(name) => values[name] !== undefined,
	);
	const differingName = sentNames.find((name) => differences.includes(name));
	if (differingName === undefined) return {};
	const labelsOf = (names: UpdateName[]) =>
		names.map((name) => `'${UPDATE_VALUES[name].label}'`).join(', ');
	const setLabels = labelsOf(sentNames.filter((name) => !differences.includes(name)));
	const otherLabels = labelsOf(sentNames.filter((name) => differences.includes(name)));
	const isSet = setLabels === '' ? `Item ${id} has none of the new values.` : `Set: ${setLabels}.`;
	return {
		// Portal.io may set 0 or an empty text if it does not know the name of the field.
		done: `${isSet} The request may have changed ${otherLabels} to another value, or someone else did at the same moment: check the item in Portal.io.`,
		path: updateOfItem(proposalId, id!)(UPDATE_VALUES[differingName].part, {}).path,
	};
}

const TELL_USER = 'tell the user that Portal.io did not apply it.';

/** @param problems ends of sentences, such as `'Quantity' is 1, not 3` */
export function resultError(
	{ baseUrl, isTool, lastChange }: Call,
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
		'Another user may have changed the proposal at the same moment: read it again. If it still does not have the change,';
	const howToSend = `Portal.io may use another field name in ${lastChange?.method} ${baseUrl}${path}. You can send it with an HTTP Request node: set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', which signs it. If Portal.io only formats values differently, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
	return new PortalError(`Portal.io accepted the request, but ${what}`, {
		progress: [isSingle ? '' : joinLines(problems), done],
		advice: [`${readAgain} ${isTool ? TELL_USER : howToSend}`, beforeRepeating],
	});
}
