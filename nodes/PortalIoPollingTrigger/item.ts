import type { INodeExecutionData } from 'n8n-workflow';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/simplify';
import type { ChangedRecord, PollEvent, PollSettings } from './events';
import type { ProposalReader } from './proposalReader';

export interface ItemSource {
	event: PollEvent;
	settings: PollSettings;
	reader: ProposalReader;
}

/** Returns the item that starts the workflow. A proposal that cannot be read is output as listed. */
export async function toItem(
	{ event, settings, reader }: ItemSource,
	change: ChangedRecord,
): Promise<INodeExecutionData> {
	const { id } = change.record;
	const fullChange = { ...change };
	if (settings.includesProposal) fullChange.proposal = (await reader.read(id)) ?? null;
	const json = settings.isSimplified
		? simplifyTo(event.shape, event.shapeSource(fullChange))
		: event.rawOutput(fullChange);
	const error = settings.includesProposal ? reader.errors.get(id) : undefined;
	return { json: error ? { ...json, proposalError: describeFailure(error) } : json };
}
