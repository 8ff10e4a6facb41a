/** Makes the item that a workflow starts with. */
import type { INodeExecutionData } from 'n8n-workflow';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/shape';
import type { ChangedRecord, PollEvent, PollSettings } from './events';
import type { ProposalReader } from './proposalReader';

export interface ItemSource {
	event: PollEvent;
	settings: PollSettings;
	reader: ProposalReader;
}

/** Makes the item of a change. A proposal that was deleted or cannot be read is output as listed. */
export async function toItem(
	{ event, settings, reader }: ItemSource,
	change: ChangedRecord,
): Promise<INodeExecutionData> {
	const { id } = change.record;
	const complete = { ...change };
	if (settings.includesProposal) complete.proposal = (await reader.read(id)) ?? null;
	const json = settings.isSimplified
		? simplifyTo(event.shape, event.shapeSource(complete))
		: event.rawOutput(complete);
	const error = settings.includesProposal ? reader.errors.get(id) : undefined;
	return { json: error ? { ...json, proposalError: describeFailure(error) } : json };
}
