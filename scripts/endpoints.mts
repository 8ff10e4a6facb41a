/** `docs/operations/endpoints.md`: every endpoint of Portal.io, and what of this package reaches it. */
import type { INodePropertyOptions } from 'n8n-workflow';
import type { ServiceRequest } from '../client/http/request.ts';
import type { Step } from '../nodes/PortalIo/shared/operation.ts';
import { endpointOf, endpoints, type Endpoint } from './contract.mts';
import { created, innerFields, type Declared, type Parameters } from './declared.mts';

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
export function endpointPage(operations: Declared[]): string {
	const sent = operations.flatMap((declared) => sentBy(declared));
	const rows = endpoints.map((endpoint) => endpointRow(endpoint, sent));
	return [
		'# Endpoints',
		'',
		'Every endpoint of the Portal.io API that this package knows, and the operation and field of the node that reach it. Written from the node itself by `npm run docs`.',
		'',
		'*spec*, *docs*, *assumed* and *confirmed* say [how sure a request is](../portal-api.md); the body of an assumed one [can be corrected](../assumptions.md) in the node. Where Portal.io documents a second path, the node uses it when the service says that the first does not exist.',
		'',
		'| endpoint | reached by | body | mark | |',
		'|---|---|---|---|---|',
		...rows,
		'',
		'Not used: `POST /public/ai/content`, a path that one list names for the upload. The detailed description of the upload has the path above, with the proposal in it.',
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
	const path = endpoint.isAlternate ? 'second path' : '';
	return `| \`${name}\` | ${all.join('; ')} | ${body} | ${endpoint.mark} | ${path} |`;
}

interface Sent {
	endpoint: Endpoint;
	/** To the operation. */
	link: string;
	body: string;
	/** The labels of the fields without which it is not sent. */
	fields: string[];
}

/** Every request of an operation, on both of its paths. */
function sentBy(declared: Declared): Sent[] {
	const { page, resourceName, declaration } = declared;
	const link = `[${resourceName}: ${declaration.name}](${page})`;
	const variants = variantsOf(declared).map(({ label, parameters }) => ({
		label,
		steps: allSteps(declared, parameters),
	}));
	return variants.flatMap(({ label, steps }) =>
		steps.flatMap(({ request, sets }) => {
			const isEverywhere = variants.every((one) => isAmong(one.steps, request));
			const fields = [
				...(sets.length > 0 ? sets : switchesOf(declared, request)),
				...(isEverywhere ? [] : [label]),
			];
			const { method, path, alternate } = request;
			const paths = alternate === undefined ? [path] : [path, alternate.path];
			const body = bodyOf(declared, request);
			return paths.map((one) => ({ endpoint: endpointOf(method, one), link, body, fields }));
		}),
	);
}

function bodyOf({ declaration }: Declared, { method, form, json }: ServiceRequest): string {
	if (declaration.upload !== undefined && method === 'POST') return 'multipart';
	if (json !== undefined) return 'JSON';
	return form === undefined ? '' : 'form';
}

const isAmong = (steps: Step[], { method, path }: ServiceRequest) =>
	steps.some(({ request }) => request.method === method && request.path === path);

/** All fields filled in, once for each choice that other fields depend on. */
function variantsOf({ declaration: { fields }, complete }: Declared) {
	const deciding = fields.filter(
		({ name, type }) =>
			type === 'options' &&
			fields.some(({ displayOptions }) => name in (displayOptions?.show ?? {})),
	);
	if (deciding.length === 0) return [{ label: '', parameters: complete }];
	return deciding.flatMap((field) =>
		(field.options as INodePropertyOptions[]).map(({ name, value }) => ({
			label: `${field.displayName}: ${name}`,
			parameters: { ...complete, [field.name]: value },
		})),
	);
}

/** The switches in collections without which a request is not sent. */
function switchesOf(declared: Declared, request: ServiceRequest): string[] {
	const { declaration, complete } = declared;
	const isSentWithout = (collection: string, name: string) => {
		const values = Object.entries(complete[collection] as Parameters);
		const others = Object.fromEntries(values.filter(([one]) => one !== name));
		const without = { ...declared, complete: { ...complete, [collection]: others } };
		return variantsOf(without).some(({ parameters }) =>
			isAmong(allSteps(declared, parameters), request),
		);
	};
	return declaration.fields.flatMap((collection) =>
		innerFields(collection)
			.filter(({ name, type }) => type === 'boolean' && !isSentWithout(collection.name, name))
			.map(({ displayName }) => displayName),
	);
}

/** What an operation sends, and what it reads before and after. */
function allSteps({ declaration, steps }: Declared, parameters: Parameters): Step[] {
	const values = declaration.read(parameters, { timezone: 'UTC' });
	const existing = declaration.existing?.(values);
	const waiting = declaration.wait?.(values);
	const reads = [
		existing?.list.request,
		existing?.detail(created),
		declaration.detail?.(created, values),
		declaration.reading?.(created.id),
		declaration.upload?.check(values),
		waiting?.before?.request,
		waiting?.after.request,
	];
	return [
		...steps(parameters),
		...reads.filter((one) => one !== undefined).map((request) => ({ sets: [], request })),
	];
}
