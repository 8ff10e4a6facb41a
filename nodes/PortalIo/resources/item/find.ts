/**
 * Finds in a proposal what a change of items has made: what is checked is also the output.
 * Portal.io may ignore a field whose name is assumed, and respond with success. Each operation on
 * items whose request is assumed therefore fails if the proposal does not show the change.
 */
import { PortalError } from '../../../../client/errors';
import { isProposal, itemsOf, proposalAfterChange } from '../../../../client/model';
import type { Proposal, ProposalItem } from '../../../../client/model';
import { parseTime } from '../../../../client/response';
import { linesOf } from '../../fields/values';
import { differs, isSame } from '../../operation/changes';
import type { Call } from '../../operation/operation';
import type { Result } from '../../operation/output';
import { ITEM_VALUES, UPDATED, updateOfItem, valueOf } from './values';
import type { ItemValueName, ItemValues, UpdatedName } from './values';

/** An item that a change should have made or changed. */
export interface SentItem {
	/** As errors name it, such as `row 2`; empty for the only one. */
	name?: string;
	/** The ID of a changed item; an item without an ID has to be a new one. */
	id?: number;
	/** Whether the change may have replaced the item by a new one. */
	mayBeNew?: boolean;
	/** The expected values. An undefined one was not sent. */
	values: ItemValues;
}

/** The items that a request should create or update. */
export interface Sent {
	items: SentItem[];
	/** Items that existed before, regardless of their dates. */
	known?: number[];
	/** The verb for new items: `added`. */
	verb?: string;
	/** Whether what is nested under the items is found, too. */
	withNested?: boolean;
}

/** A sent item, and the item of the proposal that shows it. */
interface Match {
	sent: SentItem;
	item?: ProposalItem;
	/** The values that differ. */
	names: ItemValueName[];
}

interface Found {
	/** In the order of their IDs; also those whose values differ. */
	items: ProposalItem[];
	missing: Match[];
}

/** The clocks of a service are not all the same. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether a date is not before the request; a date that cannot be read proves nothing. */
const isSince = (date: unknown, at: number) =>
	(parseTime(date) ?? Infinity) >= at - CLOCK_TOLERANCE_MS;

/**
 * Finds changed items by their IDs, and new ones by their values. The request was sent at `at` by the
 * service's clock, in milliseconds.
 */
export function find(all: ProposalItem[], sent: Sent, at: number): Found {
	const byId = new Map<unknown, ProposalItem>();
	for (const item of all) byId.set(item.id, item);
	const matches: Match[] = [];
	const known = new Set<unknown>(sent.known);
	let isComplete = true;
	for (const one of sent.items) {
		const item = byId.get(one.id);
		matches.push({ sent: one, item, names: [] });
		known.add(item?.id);
		isComplete &&= item !== undefined;
	}
	if (!isComplete) matchNew(matches, all, known, at);
	const ids = new Set<number>();
	const missing: Match[] = [];
	for (const match of matches) {
		const { item } = match;
		if (item !== undefined) {
			ids.add(item.id);
			match.names = differing(item, match.sent.values, at);
		}
		if (item === undefined || match.names.length > 0) missing.push(match);
	}
	return { items: itemsWith(all, ids, sent.withNested), missing };
}

/**
 * Portal.io does not say which items are new: a new item was created since the request. An item counts
 * for the row from which it differs least, the newest first.
 */
function matchNew(matches: Match[], all: ProposalItem[], known: Set<unknown>, at: number): void {
	const left = all
		.filter(({ id, createdDate }) => isSince(createdDate, at) && !known.has(id))
		.sort((one, other) => other.id - one.id);
	for (let count = 0; count < Object.keys(ITEM_VALUES).length; count++) {
		for (const match of matches) {
			const { id, mayBeNew, values } = match.sent;
			if (match.item !== undefined || (id !== undefined && !mayBeNew)) continue;
			const index = left.findIndex(
				(item) =>
					(count === 0 || isSame('id', values.referencedItemId, item.referencedItemId)) &&
					differing(item, values, at).length === count,
			);
			if (index >= 0) [match.item] = left.splice(index, 1);
		}
	}
}

/** The names of the sent values that an item does not have. */
export function differing(item: ProposalItem, values: ItemValues, at: number): ItemValueName[] {
	const names: ItemValueName[] = [];
	for (const name of Object.keys(ITEM_VALUES) as ItemValueName[]) {
		const sent = values[name];
		const there = valueOf(item, name);
		const { kind } = ITEM_VALUES[name];
		if (sent === undefined || isSame(kind, sent, there)) continue;
		// Portal.io may keep a copy of an image, which has another URL.
		const mayBeCopy = kind === 'image' && Boolean(sent) && Boolean(there);
		const isChanged = mayBeCopy && isSince(item.lastModifiedDate ?? item.createdDate, at);
		if (!isChanged) names.push(name);
	}
	return names;
}

/** The items with these IDs, and those nested under them if wanted, in the order of their IDs. */
export function itemsWith(all: ProposalItem[], ids: Iterable<number>, withNested?: boolean) {
	const found = new Set<unknown>(ids);
	const items: ProposalItem[] = [];
	// An item is older than what is nested under it.
	for (const item of all.toSorted((one, other) => one.id - other.id)) {
		if (withNested && found.has(item.parentId)) found.add(item.id);
		if (found.has(item.id)) items.push(item);
	}
	return items;
}

type ChangeCall = Call<{
	proposalId: number;
	/** Only operations whose request is assumed have this option. */
	options?: { checkResult?: boolean };
}>;

/** The response to a change, or the proposal that shows it, with the items in it. */
export async function afterChange(call: ChangeCall, response: unknown, isChecked: boolean) {
	const { proposalId } = call.values;
	try {
		const shown = isChecked ? await proposalAfterChange(call, proposalId, response) : response;
		return { shown, all: isProposal(shown) ? itemsOf(shown) : [] };
	} catch (failure) {
		throw PortalError.from(failure as Error).with({
			doubt:
				'Portal.io accepted the request, but the change could not be confirmed. Open the proposal before you run the step again.',
		});
	}
}

/** The items that a change created or updated; throws a PortalError if the check fails. */
export async function foundResult(
	call: ChangeCall,
	response: unknown,
	sent: Sent | ((all: ProposalItem[]) => Sent),
): Promise<Result> {
	const { options } = call.values;
	const isChecked = options !== undefined && options.checkResult !== false;
	const after = await afterChange(call, response, isChecked);
	const expected = typeof sent === 'function' ? sent(after.all) : sent;
	const found = find(after.all, expected, call.sentAt);
	if (isChecked && found.missing.length > 0) throw missingError(call, expected, found, after);
	return { records: found.items, raw: after.shown };
}

type After = Awaited<ReturnType<typeof afterChange>>;

function missingError(call: ChangeCall, sent: Sent, { items, missing }: Found, after: After) {
	const lines = missing.flatMap(({ sent: { name = '', id, values }, item, names }) => {
		if (item === undefined && id !== undefined) return [`item ${id} is not in the proposal`];
		if (item === undefined) return [`${name || 'the item'} was not ${sent.verb}`];
		const place = name && `${name}: `;
		return names.map(
			(one) => place + differs(ITEM_VALUES[one].label, valueOf(item, one), values[one]),
		);
	});
	if (sent.verb === undefined) {
		return resultError(call, lines, outcomeOfUpdate(missing[0]!, call.values.proposalId));
	}
	// Rows with an ID had their items before.
	const added = items.filter((item) => sent.items.every(({ id }) => id !== item.id));
	if (added.length > 0) {
		const ids = added.slice(0, MAX_NAMED).map(({ id }) => id);
		const more = added.length > MAX_NAMED ? ' …' : '';
		return resultError(call, lines, {
			done: `New items: ${added.length}.`,
			beforeRepeating: `Delete the new items before you run the step again, to avoid duplicates: ${ids.join(', ')}${more}.`,
		});
	}
	const hasEarlier = missing.some(({ sent: { values } }) =>
		after.all.some((item) => differing(item, values, call.sentAt).length === 0),
	);
	return resultError(call, lines, {
		done: `Proposal ${(after.shown as Proposal).number} has no new items.`,
		beforeRepeating: hasEarlier ? EARLIER : HARMLESS,
	});
}

const MAX_NAMED = 10;

const EARLIER =
	'The proposal has such items, but they were created earlier. Check in Portal.io before you run the step again.';

interface Outcome {
	/** The completed part, as a sentence. */
	done?: string;
	/** Advice before the step is run again; without it, the step can safely be run again. */
	beforeRepeating?: string;
	/** The path of the request that did not take effect, if it was not the last one. */
	path?: string;
}

function outcomeOfUpdate({ sent, names }: Match, proposalId: number): Outcome {
	const { id, values } = sent;
	const updated = (Object.keys(UPDATED) as UpdatedName[]).filter(
		(name) => values[name] !== undefined,
	);
	const failed = updated.find((name) => names.includes(name));
	if (failed === undefined) return {};
	const set = updated.filter((name) => !names.includes(name));
	const labels = set.map((name) => `'${UPDATED[name].label}'`).join(', ');
	return {
		done: set.length > 0 ? `Set: ${labels}.` : `No values of item ${id} were changed.`,
		path: updateOfItem(proposalId, id!)(UPDATED[failed].part, {}).path,
	};
}

const HARMLESS = 'You can safely run the step again.';

/** `missing` are the ends of sentences: `'Quantity' is 1, not 3`. */
export function resultError(
	{ baseUrl, lastChange }: Call,
	missing: string[],
	{ done = '', beforeRepeating = HARMLESS, path = lastChange?.path }: Outcome = {},
): PortalError {
	const isOne = missing.length === 1;
	const what = isOne ? missing[0]! : `${missing.length} changes did not take effect`;
	const howToSend = `Portal.io may use another field name in ${lastChange?.method} ${baseUrl}${path}. You can send it with an HTTP Request node: set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', which signs it. If Portal.io only formats values differently, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
	return new PortalError(`Portal.io accepted the request, but ${what}`, {
		progress: [isOne ? '' : linesOf(missing.map((one) => `${one}.`)), done],
		advice: [howToSend, beforeRepeating],
	});
}
