export const WEBHOOK_EVENTS = {
	buildStatus: 'proposal.build.status_update',
	outlineStatus: 'proposal.outline.status_update',
	proposalStatus: 'proposal.status_changed',
} as const;

export interface Subscription {
	subscriptionId: number;
	url: string;
	enabled?: boolean;
	events?: string[] | string;
}

export interface EventEnvelope {
	id: string;
	type: string;
	data: Record<string, unknown>;
}
