import type { INodeProperties } from 'n8n-workflow';
import { EVENTS } from '../../../../client/model';
import { FieldError, filledTextOf } from '../../shared/values';

export const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/portal-io',
	description: 'Where events are sent: an https address that the internet can reach',
};

export const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: [
		{ name: 'Build Status Changed', value: EVENTS.buildStatus },
		{ name: 'Outline Status Changed', value: EVENTS.outlineStatus },
		{ name: 'Proposal Status Changed', value: EVENTS.proposalStatus },
	],
	default: [EVENTS.proposalStatus],
	description: 'What to be told about',
};

export const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	description: 'How people recognize the subscription',
};

/** An absolute address. Whether the service can reach it, the service says. */
export function urlOf(value: unknown): string {
	const text = filledTextOf(value, 'URL').trim();
	if (URL.canParse(text) && /^https?:/i.test(text)) return text;
	throw new FieldError('URL', 'must be a whole address, such as https://example.com/portal-io');
}
