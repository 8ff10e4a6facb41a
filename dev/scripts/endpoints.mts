/** `docs/operations/endpoints.md`: every endpoint of Portal.io, and what of this package reaches it. */
import type { INodePropertyOptions } from 'n8n-workflow';
import type { Recorded } from './recordedCall.mts';
import { endpointOf, endpoints, type Endpoint } from './contract.mts';
import type { Declared, Parameters } from './declared.mts';

const TRIGGER = '[Portal.io Trigger](../triggers.md)';
const POLLING_TRIGGER = '[Portal.io Polling Trigger](../triggers.md)';

/** What sends requests besides the operations. */
const besides: Record<string, string[]> = {
	'GET /authenticate/apikeyexchange': ['[Portal.io API](../credentials.md), the credential'],
	'GET /public/people': [POLLING_TRIGGER],
	'GET /public/proposals': ['a *Proposal* given by its number', POLLING_TRIGGER],
	'GET /public/proposals/{ProposalId}': [TRIGGER, POLLING_TRIGGER],
	'GET /public/webhook/subscriptions': [TRIGGER],
	'POST /public/webhook/subscribe': [TRIGGER],
	'DELETE /public/webhook/unsubscribe/{SubscriptionId}': [TRIGGER],
};

/**
 * @throws for a request that the contract does not have, and for an endpoint that nothing reaches
 */
export async function endpointPage(operations: Declared[]): Promise<string> {
	const sent = (await Promise.all(operations.map(sentBy))).flat();
	const rows = endpoints.map((endpoint) => endpointRow(endpoint, sent));
	return [
		'# Endpoints',
		'',
		'Every endpoint of the Portal.io API that this package knows, and the operation and field of the node that reach it. Written from the node itself by `npm run docs`.',
		'',
		'*spec*, *docs*, *assumed* and *confirmed* say [how sure a request is](../portal-api.md); the body of an assumed one [can be corrected](../assumptions.md) in the node. Where Portal.io documents other paths, the node uses them when the service says that the first does not exist.',
		'',
		'| endpoint | reached by | body | mark | |',
		'|---|---|---|---|---|',
		...rows,
		'',
	].join('\n');
}

function endpointRow(endpoint: Endpoint, allSent: Sent[]): string {
	const name = `${endpoint.method} ${endpoint.path}`;
	const sent = allSent.filter((one) => one.endpoint === endpoint);
	const links = Object.entries(Object.groupBy(sent, ({ link }) => link)).map(([link, requests]) => {
		const labels = new Set(requests!.flatMap(({ fields }) => fields));
		return [link, ...[...labels].map((label) => `*${label}*`)].join(', ');
	});
	const all = [...links, ...(besides[name] ?? [])];
	if (all.length === 0) {
		throw new Error(`Nothing reaches ${name}: add its operation to nodes/PortalIo/resources/`);
	}
	const body = sent[0]?.body ?? '';
	const path = endpoint.isAlternate ? 'other path' : '';
	return `| \`${name}\` | ${all.join('; ')} | ${body} | ${endpoint.mark} | ${path} |`;
}

interface Sent {
	endpoint: Endpoint;
	/** To the operation. */
	link: string;
	body: string;
	/** The labels of the fields that it sets. */
	fields: string[];
}

/** Every request of an operation, on all of its paths. */
async function sentBy(declared: Declared): Promise<Sent[]> {
	const { page, resourceName, declaration } = declared;
	const link = `[${resourceName}: ${declaration.name}](${page})`;
	const requests = (await Promise.all(variantsOf(declared).map(declared.requests))).flat();
	return requests.flatMap((request) => {
		const { method, path, alternates = [], sets = [] } = request;
		const paths = [path, ...alternates.map((one) => one.path)];
		const body = bodyOf(request);
		return paths.map((one) => ({ endpoint: endpointOf(method, one), link, body, fields: sets }));
	});
}

function bodyOf({ isUpload, form, json }: Recorded): string {
	if (isUpload) return 'multipart';
	if (json !== undefined) return 'JSON';
	return form === undefined ? '' : 'form';
}

/** All fields filled in, once for each choice that other fields depend on. */
function variantsOf({ declaration: { fields }, complete }: Declared): Parameters[] {
	const deciding = fields.filter(
		({ name, type }) =>
			type === 'options' &&
			fields.some(({ displayOptions }) => name in (displayOptions?.show ?? {})),
	);
	const variants = deciding.flatMap(({ name, options }) =>
		(options as INodePropertyOptions[]).map(({ value }) => ({ ...complete, [name]: value })),
	);
	return [complete, ...variants];
}
