import type { ChangeOrder, PaymentRequest, Proposal } from '../../client/model';
import { parseTime } from './dates';
import { INITIAL_STATUSES } from './proposalStatus';
import type { Candidate, Change, ChangedRecord, ChildStatuses } from './types';

type Child = ChangeOrder | PaymentRequest;

/** Detects which change orders or payment requests of a proposal have a new status. */
export function detectChildStatus(childrenOf: (proposal: Proposal) => Child[] | null | undefined) {
	return async (candidate: Candidate): Promise<Change | undefined> => {
		const { previous, modifiedAt, needsRecheck } = candidate;
		const isKnown = previous !== undefined && previous.time >= modifiedAt;
		if (isKnown && !needsRecheck) return undefined;
		const proposal = await candidate.readProposal();
		if (proposal === undefined) return undefined;
		const children = childrenOf(proposal) ?? [];
		return {
			time: parseTime(proposal.lastModifiedDate),
			state: Object.fromEntries(children.map(({ id, status }) => [id, status])),
			changed: changedOf(candidate, proposal, children),
		};
	};
}

function changedOf(candidate: Candidate, proposal: Proposal, children: Child[]): ChangedRecord[] {
	const statuses = candidate.previous?.state as ChildStatuses | undefined;
	const { id, number, name, status, customer, dealer } = proposal;
	// Not all of it: a poll may find thousands.
	const parent = { id, number, name, status, customer, dealer };
	return children
		.map((record) => ({
			record,
			previousStatus: statuses?.[record.id] ?? null,
			proposal: parent,
		}))
		.filter(({ record, previousStatus }) =>
			previousStatus === null
				? isNewChild(candidate, proposal, record)
				: previousStatus !== record.status,
		);
}

/**
 * Whether a child that is not known has a status to report. If its proposal is not known either, only
 * dates can tell; payment requests have none.
 */
function isNewChild(candidate: Candidate, proposal: Proposal, child: Child): boolean {
	if (INITIAL_STATUSES.includes(child.status)) return false;
	const { previous, reportedUntil } = candidate;
	if (previous !== undefined || parseTime(proposal.createdDate) > reportedUntil) return true;
	return 'lastModifiedDate' in child && parseTime(child.lastModifiedDate) > reportedUntil;
}
