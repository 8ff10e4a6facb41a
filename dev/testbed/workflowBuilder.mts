/** Builds workflows in which each node follows the previous one. */
import { randomUUID } from 'node:crypto';
import type { N8n, StoredCredential, StoredWorkflow, Workflow, WorkflowNode } from './n8n/n8n.mts';

const packagePrefix = 'n8n-nodes-portal-io.';

/** Node in a chain. Omitted properties get defaults. */
export type Part = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

export interface Account {
	n8n: N8n;
	credential: StoredCredential;
}

/** Creates one of n8n's own nodes. */
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

/** Creates a Portal.io Trigger with its own webhook. The trigger outputs events unchanged. */
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
	// Use several entries, because n8n rejects an entry that runs more than once a minute, but accepts any number of
	// entries.
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

/** Creates n8n's Webhook node with its own URL. */
export function webhook(parameters: object = {}): Part {
	const path = randomUUID();
	const all = { httpMethod: 'POST', path, ...parameters };
	return { ...base('Webhook', 'webhook', all, 2.1), webhookId: path };
}

/** Creates n8n's HTTP Request node with this package's credential. */
export const httpRequest = (parameters: object, typeVersion = 4.2): Part => {
	const login = { authentication: 'predefinedCredentialType', nodeCredentialType: 'portalIoApi' };
	return base('HTTP Request', 'httpRequest', { ...login, ...parameters }, typeVersion);
};

/** Converts form fields to the HTTP Request node's parameters. */
export const formFields = (fields: Record<string, string>) => ({
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: namedValues(fields),
});

export const namedValues = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});

/** Creates n8n's Edit Fields node, which outputs the result of an expression. */
export const editFields = (jsonOutput: string): Part =>
	base('Edit Fields', 'set', { mode: 'raw', jsonOutput }, 3.4);

export function byId(value: number | string) {
	return { __rl: true, mode: 'id', value };
}

/** Builds a chain as n8n imports it. Each node that signs requests for Portal.io gets the credential. */
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
