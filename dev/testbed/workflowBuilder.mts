/** Builds workflows in which each node follows the one before. */
import { randomUUID } from 'node:crypto';
import type { N8n, StoredCredential, StoredWorkflow, Workflow, WorkflowNode } from './n8n/n8n.mts';

const packagePrefix = 'n8n-nodes-portal-io.';

/** A node of a chain; what is left out gets a default. */
export type Part = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

export interface Account {
	n8n: N8n;
	credential: StoredCredential;
}

/** A node of n8n itself. */
export const base = (
	name: string,
	type: string,
	parameters: object = {},
	typeVersion = 1,
): Part => ({
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	parameters: {
		options: {},
		...parameters,
	},
});

export const manualStart = base('Start', 'manualTrigger');

export const noOp = base('End', 'noOp');

export const portal = (parameters: Record<string, unknown>): Part => ({
	name: 'Portal.io',
	type: `${packagePrefix}portalIo`,
	parameters,
});

/** A Portal.io Trigger, with a webhook of its own, that returns the event as it came. */
export function portalTrigger(events: string[], parameters: Record<string, unknown> = {}): Part {
	return {
		name: 'Portal.io Trigger',
		type: `${packagePrefix}portalIoTrigger`,
		typeVersion: 2,
		parameters: { events, output: 'raw', ...parameters },
		webhookId: randomUUID(),
	};
}

export function pollingTrigger(event: string, everySeconds = 2): Part {
	// n8n refuses an entry that fires more than once a minute, and accepts any number of others.
	const item = Array.from({ length: 60 / everySeconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * everySeconds} * * * * *`,
	}));
	return {
		name: 'Poll',
		type: `${packagePrefix}portalIoPollingTrigger`,
		parameters: { event, pollTimes: { item } },
	};
}

/** n8n's Webhook node, at an address of its own. */
export function webhook(parameters: object = {}): Part {
	const path = randomUUID();
	const all = { httpMethod: 'POST', path, ...parameters };
	return { ...base('Webhook', 'webhook', all, 2.1), webhookId: path };
}

/** n8n's HTTP Request node with the credential of this package. */
export const httpRequest = (parameters: object, typeVersion = 4.2): Part => {
	const login = { authentication: 'predefinedCredentialType', nodeCredentialType: 'portalIoApi' };
	return base('HTTP Request', 'httpRequest', { ...login, ...parameters }, typeVersion);
};

/** The fields of a form, as the HTTP Request node has them. */
export const formFields = (fields: Record<string, string>) => ({
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: namedValues(fields),
});

export const namedValues = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/** n8n's Edit Fields node, which makes one record by an expression. */
export const editFields = (jsonOutput: string): Part =>
	base('Edit Fields', 'set', { mode: 'raw', jsonOutput }, 3.4);

export function byId(value: number | string) {
	return { __rl: true, mode: 'id', value };
}

/** A chain as n8n imports it; each node that signs requests for Portal.io gets the credential. */
export function chain(
	name: string,
	parts: Part[],
	credential: StoredCredential,
	settings: Record<string, unknown> = {},
): Workflow {
	const { id, name: credentialName, type } = credential;
	const nodes = parts.map((part, index): WorkflowNode => {
		const usesCredential =
			part.type.startsWith(packagePrefix) || part.parameters.nodeCredentialType === type;
		return {
			id: randomUUID(),
			typeVersion: 1,
			position: [index * 220, 0],
			...part,
			...(usesCredential && { credentials: { [type]: { id, name: credentialName } } }),
		};
	});
	const links = parts
		.slice(1)
		.map((part, index) => [
			parts[index]!.name,
			{ main: [[{ node: part.name, type: 'main', index: 0 }]] },
		]);
	return {
		name,
		nodes,
		connections: Object.fromEntries(links),
		settings: { executionOrder: 'v1', ...settings },
	};
}

export async function createChain(
	{ n8n, credential }: Account,
	name: string,
	parts: Part[],
	settings: Record<string, unknown> = {},
): Promise<StoredWorkflow> {
	return await n8n.createWorkflow(chain(name, parts, credential, settings));
}
