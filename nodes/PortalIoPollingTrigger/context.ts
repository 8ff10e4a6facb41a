import type { Logger } from 'n8n-workflow';
import type { Session } from '../../client/session';
import type { ProposalReader } from './proposalReader';
import type { Memory, PollEvent, Settings } from './types';

/** What all steps of a poll share. */
export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	/** The event and the credential. */
	source: string;
	memory: Memory;
	reader: ProposalReader;
	logger: Logger;
}
