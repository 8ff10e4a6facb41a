/** From the changes that a poll found to the items that the workflow starts with. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { simplifyTo } from '../shared/shape';
import { isChosenStatus, isOn, textsOf } from '../shared/triggerFields';
import { CONCURRENT_READS, type ProposalReader } from './proposalReader';
import type { ChangedRecord, PollEvent, Settings } from './types';

/** Reads what the user chose for an event. */
export function readSettings(context: IPollFunctions, event: PollEvent): Settings {
	const { statusField, fetchesProposal } = event;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		statuses: statusField ? textsOf(context.getNodeParameter(statusField, [])) : [],
		isSimplified: isOn(context.getNodeParameter('simplify', true), true),
		fetchesProposal: fetchesProposal && isOn(options.fetchProposal, false),
	};
}

/** Whether a change is one that the workflow starts on. */
export const isChosen = ({ record }: ChangedRecord, { statuses }: Settings): boolean =>
	isChosenStatus(record.status, statuses);

/** Makes the items; a proposal that was deleted or cannot be read is as it was listed. */
export async function toItems(
	reader: ProposalReader,
	event: PollEvent,
	settings: Settings,
	changed: ChangedRecord[],
): Promise<INodeExecutionData[]> {
	const { isSimplified, fetchesProposal } = settings;
	const toItem = (one: ChangedRecord) => ({
		json: isSimplified ? simplifyTo(event.shape, one) : event.full(one),
	});
	if (!fetchesProposal) return changed.map(toItem);
	return await mapConcurrent(changed, CONCURRENT_READS, async (one) => {
		const proposal = (await reader.read(one.record.id)) ?? null;
		const { json } = toItem({ ...one, proposal });
		const reason = reader.skipped.get(one.record.id);
		return { json: reason ? { ...json, proposalError: reason.message } : json };
	});
}
