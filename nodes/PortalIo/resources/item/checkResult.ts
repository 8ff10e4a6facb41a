/**
 * Portal.io may ignore a field whose name is assumed, and respond with success. Each operation on items
 * whose request is assumed therefore fails if the proposal does not show the change.
 */
import {
	isProposal,
	itemsOf,
	proposalAfterChange,
	type Proposal,
	type ProposalItem,
} from '../../../../client/model';
import { PortalError } from '../../../../client/errors';
import { differs } from '../../operation/compare';
import type { Call } from '../../operation/operation';
import { find, isAsSent, type Found, type Missing, type Sent } from './find';
import { ITEM_VALUES, pathOf, UPDATED, valueOf, type UpdatedName } from './itemValues';

/** What an operation that changes items has among its values. */
interface Values {
	proposalId: number;
	/** Without options, the request is documented, and the result is not checked. */
	options?: { checkResult?: boolean };
}

/** What an error says besides what is missing. */
export interface Outcome {
	/** What was done, as a sentence. */
	done?: string;
	/** What to do before the step is run again; without it, that does no harm. */
	beforeRepeating?: string;
	/** The path of the request that did not take effect, if it was not the last one. */
	path?: string;
}

/** The proposal after a change, with the items that the change has made or changed. */
export interface Result {
	response: unknown;
	/** Undefined where the response does not show them. */
	records: ProposalItem[] | undefined;
}

const isChecked = ({ options }: Values) => options !== undefined && options.checkResult !== false;

/**
 * Finds what a change has made.
 *
 * @param sentOf what was sent, which may depend on what the proposal has
 * @throws PortalError that says what is missing, if the result is checked
 */
export async function findResult(
	call: Call<Values>,
	response: unknown,
	sentOf: (proposal: Proposal) => Omit<Sent, 'at'>,
): Promise<Result> {
	const isToCheck = isChecked(call.values);
	const read = async () => {
		const proposal = isToCheck
			? await proposalAfterChange(call.send, call.values.proposalId, response)
			: response;
		if (!isProposal(proposal)) return undefined;
		const sent = { ...sentOf(proposal), at: call.sentAt };
		return { proposal, sent, found: find(proposal, sent) };
	};
	const result = await afterAccepted(read());
	if (result === undefined) return { response, records: undefined };
	const { proposal, sent, found } = result;
	if (isToCheck && found.missing.length > 0) {
		const missing = found.missing.flatMap((one) => inWords(one, sent));
		const outcome =
			sent.verb === undefined
				? outcomeOfUpdate(found, call.values)
				: outcomeOfNew(found, sent, proposal);
		throw resultError(call, missing, outcome);
	}
	return { response: proposal, records: found.items.length > 0 ? found.items : undefined };
}

/** What is missing of one item, each as the end of a sentence. */
function inWords({ sent: { name, id, values }, item, names }: Missing, { verb }: Sent): string[] {
	if (item === undefined) {
		return [
			id === undefined
				? `${name || 'the item'} was not ${verb}`
				: `item ${id} is not in the proposal`,
		];
	}
	const place = name === '' ? '' : `${name}: `;
	return names.map(
		(one) => place + differs(ITEM_VALUES[one].label, valueOf(item, one), values[one]),
	);
}

/** How many things an error names. */
const MAX_NAMED = 10;

/** What to do about new items, so that they are not made twice. */
function outcomeOfNew({ items }: Found, sent: Sent, proposal: Proposal): Outcome {
	if (items.length > 0) {
		const ids = items.slice(0, MAX_NAMED).map(({ id }) => id);
		return {
			done: `New in the proposal: ${items.length} of ${sent.items.length} items.`,
			beforeRepeating: `Delete the new items before you run the step again, to avoid duplicates: ${ids.join(', ')}${items.length > MAX_NAMED ? ' …' : ''}.`,
		};
	}
	const all = itemsOf(proposal);
	const isThereBefore = sent.items.some(({ values }) =>
		all.some((item) => isAsSent(item, values, sent.at)),
	);
	return {
		done: `Nothing was ${sent.verb}.`,
		...(isThereBefore && {
			beforeRepeating:
				'Items like these are in the proposal, but they were created before. Check in Portal.io before you run the step again.',
		}),
	};
}

/** What an update has set all the same, and which of its requests did not take effect. */
function outcomeOfUpdate({ missing: [first] }: Found, { proposalId }: Values): Outcome {
	const { item, sent, names } = first!;
	const updated = (Object.keys(UPDATED) as UpdatedName[]).filter(
		(name) => sent.values[name] !== undefined,
	);
	const failed = updated.find((name) => names.includes(name));
	if (item === undefined || failed === undefined) return {};
	const set = updated.filter((name) => !names.includes(name));
	return {
		done:
			set.length > 0
				? `Set: ${set.map((name) => `'${UPDATED[name].label}'`).join(', ')}.`
				: 'Nothing was set.',
		path: pathOf(proposalId, item.id, UPDATED[failed].part),
	};
}

const UNREAD =
	'Portal.io accepted the request, but the change could not be confirmed. Open the proposal before you run the step again.';

/** Reads the result of a change. A failure says that the change itself was accepted. */
export const afterAccepted = async <T>(reading: Promise<T>): Promise<T> =>
	await reading.catch((failure: Error) => {
		throw PortalError.from(failure).with({ doubt: UNREAD });
	});

const HARMLESS = 'Running the step again does no harm.';

/**
 * Says that a request was accepted, but did not take effect.
 *
 * @param missing what is not as it was sent, each as the end of a sentence: `'Quantity' is 1, not 3`
 */
export function resultError(call: Call, missing: string[], outcome: Outcome): PortalError {
	const { done, beforeRepeating = HARMLESS, path } = outcome;
	const [only] = missing;
	const named = missing.length > 1 ? missing.slice(0, MAX_NAMED).map((one) => `${one}.`) : [];
	const more = missing.length > MAX_NAMED ? [`And ${missing.length - MAX_NAMED} more.`] : [];
	return new PortalError(
		missing.length === 1
			? `Portal.io accepted the request, but ${only}`
			: `Portal.io accepted the request, but ${missing.length} things are not as they were sent`,
		{
			progress: [...named, ...more, done ?? ''],
			advice: [howToSend(call, path), beforeRepeating],
		},
	);
}

/** How a user can send a change under other names than those of this package. */
function howToSend({ baseUrl, lastChange }: Call, path = lastChange?.path) {
	const target = `${lastChange?.method} ${baseUrl}${path}`;
	return `Portal.io may have another name for a field of ${target}. You can send it with an HTTP Request node: set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', which signs it. If Portal.io only writes values differently, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
}
