import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';

/** Parsed JSON of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- it is what a request has
type Json = any;

/** How a service with a single operation reads it. */
export interface Rules {
	/** The operation's path as Express writes it. */
	path: string;
	method?: 'post' | 'delete';
	/** The service's name by the contract's; those of list entries as `Items[].itemId`. */
	names: Record<string, string>;
	/** Without these there is an error, or no effect. By the contract's names; all by default. */
	required?: string[];
	formats?: ('form' | 'json')[];
	lists?: ('repeated' | 'commas' | 'brackets')[];
	/** The contract's names of fields that are lists. */
	listFields?: string[];
	/**
	 * What an invalid request gets: the names of its wrong and missing fields, always or only when it
	 * is empty; no names; or a success without effect.
	 */
	errors?: 'fields' | 'fields when empty' | 'plain' | 'none';
	/** Whether a field that it does not know is an error. */
	isStrict?: boolean;
	/** Whether names have to be in the same case. */
	isCaseSensitive?: boolean;
	/** What every request gets, in place of all this. */
	answer?: (request: Request, response: Response) => void;
}

/** A service with a key exchange and one operation. */
export interface SmallService {
	url: string;
	/** What the latest request changed, by the contract's names. */
	effect: Record<string, unknown>;
	/** The bodies that arrived. */
	bodies: string[];
	stop: () => Promise<void>;
}

const isEntryList = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object';

/** What a body says, by the service's names. */
function parse(request: Request, { formats = ['form', 'json'] }: Rules): Record<string, Json> {
	const text = String(request.body ?? '');
	const isJson = request.headers['content-type']?.includes('json') ?? false;
	if (!formats.includes(isJson ? 'json' : 'form')) return {};
	if (isJson) return JSON.parse(text === '' ? '{}' : text);
	const read: Record<string, Json> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const known = read[name];
		read[name] = known === undefined ? value : [known, value].flat();
	}
	return read;
}

function readList(value: Json, { lists = ['repeated'] }: Rules): unknown {
	if (isEntryList(value) || typeof value !== 'string') {
		return Array.isArray(value) && !isEntryList(value) && !lists.includes('repeated')
			? undefined
			: [value].flat().map(Number);
	}
	if (value.startsWith('[')) return lists.includes('brackets') ? JSON.parse(value) : undefined;
	if (value.includes(','))
		return lists.includes('commas') ? value.split(',').map(Number) : undefined;
	return [Number(value)];
}

const scalar = (value: Json) => {
	if (value === 'true' || value === 'false') return value === 'true';
	return typeof value === 'string' && value !== '' && !Number.isNaN(Number(value))
		? Number(value)
		: value;
};

/** Names of the contract in place of those of the service; and what is unknown or missing. */
function understand(sent: Record<string, Json>, rules: Rules, parent = '') {
	const fold = (name: string) => (rules.isCaseSensitive ? name : name.toLowerCase());
	const known = new Map(
		Object.entries(rules.names)
			.filter(([ours]) => ours.startsWith(parent) && !ours.slice(parent.length).includes('.'))
			.map(([ours, theirs]) => [fold(theirs), ours.slice(parent.length)]),
	);
	const read: Record<string, unknown> = {};
	const unknown: string[] = [];
	for (const [name, value] of Object.entries(sent)) {
		const ours = known.get(fold(name));
		if (ours === undefined) unknown.push(name);
		else if (rules.listFields?.includes(ours)) read[ours] = readList(value, rules);
		else read[ours] = entriesIn(value) ?? scalar(value);
	}
	const invalid: string[] = rules.isStrict ? unknown : [];
	for (const [name, value] of Object.entries(read)) {
		if (!isEntryList(value)) continue;
		const entries = (value as Json[]).map((one) => understand(one, rules, `${name}[].`));
		read[name] = entries.map((one) => one.read);
		const place = rules.names[name];
		invalid.push(
			...entries.flatMap((one, at) => one.invalid.map((field) => `${place}[${at}].${field}`)),
		);
	}
	for (const [theirs, ours] of known) {
		const isRequired = rules.required?.includes(parent + ours) ?? true;
		if (isRequired && read[ours] === undefined) invalid.push(rules.names[parent + ours] ?? theirs);
	}
	return { read, invalid };
}

function entriesIn(value: Json): unknown {
	if (isEntryList(value)) return value;
	if (typeof value !== 'string' || !value.startsWith('[{')) return undefined;
	return JSON.parse(value);
}

function refuse(response: Response, fields: string[], isEmpty: boolean, rules: Rules): void {
	const { errors = 'fields' } = rules;
	if (errors === 'none') response.status(204).end();
	else {
		const named = fields.map((fieldName) => ({ fieldName, message: 'It is wrong or missing.' }));
		const list = errors === 'fields' || (errors !== 'plain' && isEmpty) ? named : [];
		const message = 'The request is not valid.';
		response.status(400).json({ responseStatus: { errorCode: 'Invalid', message, errors: list } });
	}
}

/** Starts a service with one operation; everything else is an unknown route. */
export async function startSmallService(rules: Rules): Promise<SmallService> {
	const application = express();
	const server: Server = createServer(application);
	const service: SmallService = {
		url: '',
		effect: {},
		bodies: [],
		stop: async () => await new Promise((resolve) => void server.close(() => resolve())),
	};
	application.get('/authenticate/apikeyexchange', (_, response) => {
		response.json({ meta: { apiKey: 'bUSQ1FdzSPa7bBP1KyHnPNvS5BzWqvVr5uKNLhTqGJk=' } });
	});
	application[rules.method ?? 'post'](
		rules.path,
		express.text({ type: () => true }),
		(request, response) => {
			if (rules.answer !== undefined) return rules.answer(request, response);
			service.bodies.push(String(request.body));
			const { read, invalid } = understand(parse(request, rules), rules);
			if (invalid.length > 0)
				return refuse(response, invalid, request.body === undefined || request.body === '', rules);
			service.effect = read;
			response.status(204).end();
		},
	);
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return service;
}
