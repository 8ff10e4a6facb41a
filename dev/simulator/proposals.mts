import type { Database, Row } from './database.mts';
import { conflict, requireFound } from './errors.mts';
import { renderAs } from './render.mts';
import { proposalDetail } from './serializers/proposal.mts';
import type { HandlerResponse, Call, Context, Handler } from './context.mts';

const terminal = new Set(['Accepted', 'Completed', 'Declined']);

export const isTerminal = (proposal: Row): boolean => terminal.has(String(proposal.status));

/**
 * Returns the proposal with the given ID, by default the one in the request. Responds with 404 if the account has no
 * proposal with this ID, or if the ID belongs to a change order.
 */
export function findProposal(call: Call, id: number = call.values.ProposalId): Row {
	const where = { id, account_id: call.accountId, parent_id: null };
	return requireFound(call.database.row('proposals', where), 'Proposal');
}

export function findEditable(call: Call): Row {
	const proposal = findProposal(call);
	if (isTerminal(proposal)) {
		throw conflict(`The proposal cannot be edited while it is ${proposal.status}.`);
	}
	return proposal;
}

export function nextNumber(database: Database, accountId: Row[string]): number {
	const [latest] = database.rows('proposals', { account_id: accountId }, 'number DESC LIMIT 1');
	return Number(latest?.number ?? 1000) + 1;
}

/** Responds with the full proposal, as nearly every proposal operation does. */
export const respondWithDetail = (call: Call): HandlerResponse => ({
	body: proposalDetail(call.database, call.values.ProposalId),
});

/** Records that the calling user has changed the proposal. */
function recordChange({ database, values, now, userId }: Call): void {
	database.update('proposals', values.ProposalId, {
		last_modified_date: now,
		last_modified_by_user_date: now,
		last_modified_user_id: userId,
	});
}

/**
 * Creates a handler of a change that requires an editable proposal. The handler responds with the full proposal unless
 * `work` returns another response.
 */
export const editing =
	(work: (call: Call, proposal: Row) => HandlerResponse | undefined): Handler =>
	(call) => {
		const answer = work(call, findEditable(call));
		recordChange(call);
		return answer ?? respondWithDetail(call);
	};

const statusDates: Record<string, string> = {
	Submitted: 'last_submitted_date',
	ViewedByClient: 'client_last_opened_date',
	Accepted: 'client_last_decision_date',
	Declined: 'client_last_decision_date',
	Completed: 'last_completed_date',
};

/**
 * Changes the status of a proposal or change order, with its dates and options. Options in Draft are accepted with it,
 * and accepted options are reopened when it returns to Draft. Sends the event `proposal.status_changed`, which contains
 * the full proposal (assumed). Does not set `last_modified_by_user_date`. Does nothing if the status stays the same. A
 * change order has no event of its own (assumed), but its proposal's modification date changes.
 */
export function setProposalStatus(context: Context, proposalId: number, status: string): void {
	const { database, clock } = context;
	const proposal = requireFound(database.row('proposals', { id: proposalId }), 'Proposal');
	if (proposal.status === status) return;
	const now = clock.iso();
	const date = statusDates[status];
	database.update('proposals', proposalId, {
		status,
		last_modified_date: now,
		...(date && { [date]: now }),
	});
	// Undefined for any other status. It then matches no option, so the options stay unchanged.
	const before = { Accepted: 'Draft', Draft: 'Accepted' }[status];
	const where = { proposal_id: proposalId, status: before };
	for (const { id } of database.rows('placed_options', where)) {
		database.update('area_options', id!, { status, last_modified_date: now });
	}
	if (proposal.parent_id !== null) {
		database.update('proposals', proposal.parent_id!, { last_modified_date: now });
		return;
	}
	context.publish({
		accountId: Number(proposal.account_id),
		type: 'proposal.status_changed',
		data: renderAs('Proposal', proposalDetail(database, proposalId)),
	});
}
