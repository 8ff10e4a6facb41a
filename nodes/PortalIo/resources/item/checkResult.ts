/**
 * Portal.io may ignore a field whose name is assumed, and respond with success. Each operation on items
 * whose body is assumed therefore looks whether the proposal shows what was asked.
 */
import { itemsOf, proposalAfterChange, type ProposalItem } from '../../../../client/proposal';
import { joinLines } from '../../../shared/failure';
import type { Call } from '../../operation/operation';

/** What an operation that is checked has among its values. */
export interface Checked {
	proposalId: number;
	options: { checkResult?: boolean };
}

/** What a proposal shows of a request. */
export interface Finding {
	/** What is not as it was asked, each as the end of a sentence: `'Quantity' is 1, not 3`. */
	missing: string[];
	/** What was done, as a sentence. */
	done?: string;
	/** What to do before the step is run again; without it that does no harm. */
	beforeRepeating?: string;
	/** The path of the request that did not take effect, if it was not the last one. */
	path?: string;
}

/** An item of the proposal, with what its dates say of the request. */
export interface FoundItem extends ProposalItem {
	/** Whether the request may have made it. */
	isNew: boolean;
	/** Whether the request may have changed it. */
	isChanged: boolean;
}

/** How many things an error names. */
const MAX_NAMED = 10;
/** The clocks of a service are not all the same. */
const CLOCK_TOLERANCE_MS = 60_000;
const HARMLESS = 'Running the step again does no harm.';

/**
 * Looks whether the response to an assumed request shows what was asked; the proposal is read where the
 * response is none.
 *
 * @param look finds what is not as it was asked
 * @returns the proposal, or the response where the result is not to be checked
 * @throws NodeOperationError that says what is there and what was sent
 */
export async function checkResult(
	call: Call<Checked>,
	response: unknown,
	look: (items: FoundItem[]) => Finding,
): Promise<unknown> {
	if (call.values.options.checkResult === false) return response;
	const { proposal, items } = await readProposal(call, response);
	const {
		missing,
		done,
		beforeRepeating = HARMLESS,
		path,
	} = look(
		items.map((item) => ({
			...item,
			isNew: isSince(item.createdDate, call.sentAt),
			isChanged: isSince(item.lastModifiedDate ?? item.createdDate, call.sentAt),
		})),
	);
	if (missing.length === 0) return proposal;
	const [only] = missing;
	const named = missing.length > 1 ? missing.slice(0, MAX_NAMED).map((one) => `${one}.`) : [];
	const more = missing.length > MAX_NAMED ? [`And ${missing.length - MAX_NAMED} more.`] : [];
	throw call.error(
		missing.length === 1
			? `Portal.io accepted the request, but ${only}`
			: `Portal.io accepted the request, but ${missing.length} things are not as they were sent`,
		joinLines(...named, ...more, done, howToSend(call, path), beforeRepeating),
	);
}

/** How a user can send a change under other names than those of this package. */
function howToSend({ baseUrl, lastChange }: Call, path = lastChange?.path) {
	const target = `${lastChange?.method} ${baseUrl}${path}`;
	return `Portal.io may have another name for a field of ${target}. You can send it with an HTTP Request node: set 'Authentication' to 'Predefined Credential Type' and 'Credential Type' to 'Portal.io API', which signs it. If Portal.io only writes values differently, turn off 'Check Result'. See https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/assumptions.md.`;
}

const UNREAD =
	'Portal.io accepted the request, but whether it took effect could not be read. Look into the proposal before you run the step again.';

async function readProposal(call: Call<Checked>, response: unknown) {
	try {
		const proposal = await proposalAfterChange(call.send, call.values.proposalId, response);
		return { proposal, items: itemsOf(proposal) };
	} catch (reason) {
		const failure = reason as Error & { description?: string | null };
		failure.description = joinLines(UNREAD, failure.description);
		throw failure;
	}
}

/** A date that cannot be read proves nothing. */
const isSince = (date: unknown, sentAt: number) =>
	!(Date.parse(String(date)) < sentAt - CLOCK_TOLERANCE_MS);
