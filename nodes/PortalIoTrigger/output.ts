import { asRecord } from '../../client/list';
import { EVENTS, type EventEnvelope } from '../../client/model';
import { proposalFields, type ProposalRecord } from '../shared/proposal';
import { shapeOf, text, type Shape } from '../shared/shape';

/** An event, and what is known of its proposal. */
interface ReportedEvent {
	event: EventEnvelope;
	proposal: ProposalRecord;
}

/** The simplified output: the flat proposal, and what happened. */
export const outputShape: Shape<ReportedEvent> = {
	...shapeOf(({ proposal }: ReportedEvent) => proposal, proposalFields),
	// What the event reports: of an outline, a build or a payment too, as `eventType` says.
	status: text(({ event, proposal }) => event.data?.status ?? proposal.status),
	eventType: text(({ event }) => event.type),
};

/** The ID of the proposal that an event is about; undefined when it has none. */
export function proposalIdOf({ type, data }: EventEnvelope): number | string | undefined {
	const id =
		data?.proposalId ??
		asRecord(data?.proposal)?.id ??
		(type === EVENTS.proposalStatus ? data?.id : undefined);
	return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

/** The status of the proposal that an event reports, if it does. */
export function proposalStatusOf({ type, data }: EventEnvelope): unknown {
	const proposal = asRecord(data?.proposal);
	// In the data of other events it is the status of an outline, a build or a payment.
	return type === EVENTS.proposalStatus ? (data?.status ?? proposal?.status) : proposal?.status;
}

/** What an event says about its proposal. Portal.io does not document the fields of `data`. */
export function proposalOf(event: EventEnvelope): ProposalRecord {
	const { type, data } = event;
	const own = type === EVENTS.proposalStatus ? asRecord(data) : undefined;
	const id = proposalIdOf(event);
	return {
		...(asRecord(data?.proposal) ?? own),
		id,
		status: proposalStatusOf(event),
	} as ProposalRecord;
}
