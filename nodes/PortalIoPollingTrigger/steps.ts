/** What the steps of a poll share, and what they end with. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Session } from '../../client/session';
import type { Settings } from './items';
import type { Memory } from './memory';
import type { ProposalReader } from './proposalReader';
import type { PollEvent } from './types';

/** What all steps of a poll share. */
export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	/** The event and the account. */
	source: string;
	reader: ProposalReader;
	time: PollTime;
}

/** What a poll ends with. */
export interface Outcome {
	memory: Memory;
	items: INodeExecutionData[];
	/** Why something is left to the next poll, if that is worth a word. */
	problem?: Error;
}

/** The time that n8n gives a poll: what is not done by then is left to the next one. */
export interface PollTime {
	/** When the poll began, by n8n's clock. */
	start: number;
	/** Whether no further request may begin. */
	isOver: () => boolean;
	/** Whether the time for lists of any length is over. */
	isHalfOver: () => boolean;
}
