/** A practice service: a translator in front of a simulator, which does the work. It checks no signatures. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express, { type Request, type Response } from 'express';

import { seed, startSimulator, type Settings, type Simulator } from '../index.mts';
import { itemProperties } from '../itemsField.mts';
import type { Json } from '../json.mts';
import { matchRoute, operations, type Operation } from '../openapi.mts';
import { canonicalMessage } from '../signature.mts';
import { practiceServices, type PracticeService } from './services.mts';

export type ServiceName = keyof typeof practiceServices;

const FORM = 'application/x-www-form-urlencoded';
const { secretKey } = seed.dealer;

// ------------------------------------------------------------------ translating

/** What a service calls a field of an operation. */
const theirName = ({ names }: PracticeService, { name }: Operation, field: string) =>
	names?.[name]?.[field] ?? field.slice(field.lastIndexOf('.') + 1);

/** The fields of a body by lower-case name, as a service with this tolerance for names reads them. */
function readBody(
	service: PracticeService,
	contentType: string,
	body: string,
): Map<string, Json[]> {
	const isJson = contentType.startsWith('application/json');
	if (service.isJsonOnly && !isJson) return new Map();
	const fields = new Map<string, Json[]>();
	const pairs: [string, Json][] = isJson
		? Object.entries(JSON.parse(body || '{}')).map(([name, value]) => [name, value])
		: [...new URLSearchParams(body)];
	for (const [name, value] of pairs) {
		const key = name.toLowerCase();
		fields.set(key, [...(fields.get(key) ?? []), ...(Array.isArray(value) ? value : [value])]);
	}
	return fields;
}

/** The entries of `Items` under the contract's names, without those that the service does not know. */
function readEntries(service: PracticeService, operation: Operation, sent: Json[]): Json[] {
	const entries: Json = typeof sent[0] === 'string' ? JSON.parse(sent[0]) : sent;
	// The simulator refuses what is no list.
	if (!Array.isArray(entries)) return entries;
	return entries.map((entry) =>
		Object.fromEntries(
			itemProperties.flatMap((own) => {
				const theirs = theirName(service, operation, `Items[].${own}`);
				const value = entry[theirs] ?? service.defaults?.[own];
				return value === undefined ? [] : [[own, value]];
			}),
		),
	);
}

/** What a field is read as: of several values, a service with commas knows only the last one. */
function readValues({ hasCommas }: PracticeService, schema: Json, sent: Json[]): Json[] {
	if (schema.type === 'array' && !hasCommas) return sent;
	const last = sent.at(-1);
	return schema.type === 'array' ? String(last).split(',') : [last];
}

/** The form of the contract for what was sent. */
function toContract(
	service: PracticeService,
	operation: Operation,
	contentType: string,
	body: string,
): string {
	const fields = readBody(service, contentType, body);
	const form = new URLSearchParams();
	for (const [field, schema] of Object.entries(operation.form ?? {})) {
		const sent = fields.get(theirName(service, operation, field).toLowerCase());
		if (sent === undefined) continue;
		if (schema.contentSchema) {
			form.set(field, JSON.stringify(readEntries(service, operation, sent)));
			continue;
		}
		for (const value of readValues(service, schema, sent)) form.append(field, String(value));
	}
	return String(form);
}

/** An error body of the contract under the names of the service. */
function theirErrors(service: PracticeService, operation: Operation, body: Json): Json {
	const errors: Json[] = body.responseStatus?.errors ?? [];
	if (service.errors === 'first') errors.splice(1);
	for (const error of errors) {
		const [list = '', inner] = error.fieldName.split(/\[\d+\]\./);
		const place = error.fieldName.slice(list.length, inner && -inner.length);
		const name = theirName(service, operation, list) + place;
		error.fieldName = inner ? name + theirName(service, operation, `${list}[].${inner}`) : name;
	}
	return body;
}

/** What a service says of itself: its operations with the names of their fields. */
function describe(service: PracticeService): string {
	const typeOf = (operation: Operation) => {
		const names = operation.fields.map((field) => theirName(service, operation, field));
		return [
			`// @Route("${operation.path}", "${operation.method}")`,
			`export class ${operation.name.replace('.', '_')} {`,
			...names.map((name) => `\t${name}?: unknown;`),
			'}\n',
		].join('\n');
	};
	return operations
		.filter(({ isAlternate }) => !isAlternate)
		.map(typeOf)
		.join('\n');
}

// ------------------------------------------------------------------ the server

/** A request of the contract. */
interface Forwarded {
	method: string;
	url: string;
	contentType: string;
	body?: string | Buffer;
}

/** Sends a request to the simulator, signed with the key and date of the one that this service got. */
async function forward(
	simulator: Simulator,
	request: Request,
	{ method, url, contentType, body = '' }: Forwarded,
): Promise<globalThis.Response> {
	const passedOn = ['accept', 'x-mss-api-appid', 'x-mss-api-userkey', 'x-mss-custom-date'];
	const headers = Object.fromEntries(passedOn.map((name) => [name, request.get(name) ?? '']));
	const message = canonicalMessage({
		...{ method, contentType, baseUrl: simulator.url + url.split('?')[0]! },
		timestamp: headers['x-mss-custom-date']!,
		userKey: headers['x-mss-api-userkey']!,
	});
	headers['x-mss-signature'] = createHmac('sha256', secretKey).update(message).digest('base64');
	if (contentType !== '') headers['content-type'] = contentType;
	const sent = body.length > 0 ? { body: body as string } : {};
	return await fetch(simulator.url + url, { method, headers, ...sent });
}

async function answer(
	service: PracticeService,
	simulator: Simulator,
	request: Request,
	response: Response,
): Promise<void> {
	if (request.path === service.description) {
		response.type('text/plain').end(describe(service));
		return;
	}
	const found = matchRoute(operations, request.method, request.path);
	const operation = typeof found === 'object' ? found : undefined;
	const { method, originalUrl: url } = request;
	const contentType = request.get('content-type') ?? '';
	const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
	const isForm = operation?.form !== undefined && !operation.isStreamed;
	let reply = await forward(simulator, request, {
		...{ method, url },
		...(isForm
			? { contentType: FORM, body: toContract(service, operation, contentType, String(raw)) }
			: { contentType, body: raw }),
	});
	const proposal = /^\/public\/proposals\/\d+/.exec(request.path)?.[0];
	if (reply.status === 400 && service.errors === 'none' && proposal !== undefined) {
		reply = await forward(simulator, request, { method: 'GET', url: proposal, contentType: '' });
	}
	const text = await reply.text();
	const isRenamed = reply.status === 400 && operation !== undefined;
	response
		.status(reply.status)
		.set('content-type', reply.headers.get('content-type') ?? 'text/plain')
		.end(isRenamed ? JSON.stringify(theirErrors(service, operation, JSON.parse(text))) : text);
}

/**
 * Starts a practice service and the simulator behind it.
 *
 * @returns the simulator, with the address of the service
 */
export async function startPracticeService(
	name: ServiceName,
	{ port = 0, ...settings }: Partial<Settings> = {},
): Promise<Simulator> {
	const simulator = await startSimulator(settings);
	const application = express();
	application.use(express.raw({ type: () => true, limit: '2mb' }));
	application.use((request, response) =>
		answer(practiceServices[name], simulator, request, response),
	);
	const server = createServer(application).listen(port, '127.0.0.1');
	await once(server, 'listening').catch(async (error) => {
		await simulator.stop();
		throw error;
	});
	const { port: taken } = server.address() as AddressInfo;
	return {
		...simulator,
		url: `http://127.0.0.1:${taken}`,
		port: taken,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await simulator.stop();
		},
	};
}
