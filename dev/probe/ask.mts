/** Asks a service for the names of its fields, with requests that it cannot process. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { parse } from 'yaml';
import { endpoints, type Endpoint, type Json } from '../simulator/contract.mts';

const text = readFileSync(new URL('questions.yaml', import.meta.url), 'utf8');
const declared: Record<string, Record<string, string>> = parse(text);

export type Question = ReturnType<typeof read>;

/** Parses a question about a value in a request: the names that this package sends, and other candidates. */
function read(declaration: string) {
	const [sent = [], candidates = []] = declaration
		.split('|')
		.map((names) => names.split(' ').filter(Boolean));
	// Text fields accept any value, so only the service's metadata can show their names.
	const isText = sent[0] === 'text';
	return { sent: isText ? sent.slice(1) : sent, candidates, isText };
}

/** Questions about each endpoint, by its ID in dev/simulator/contract.yaml. */
export const questions: Record<string, Record<string, Question>> = Object.fromEntries(
	Object.entries(declared).map(([endpoint, asked]) => [
		endpoint,
		Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, read(one)])),
	]),
);

/** Value that is invalid for every number, boolean, date, and enumeration, and for lists of them. */
const UNREADABLE = '~';

/** Fields of request types, by the type's name and by `METHOD path`. */
type RequestTypes = Map<string, string[]>;

interface Service {
	baseUrl: string;
	sign: (request: object) => Promise<{ url: string; headers: object }>;
	types: RequestTypes;
}

/** What the service's responses show about an endpoint. */
export type Finding = Awaited<ReturnType<typeof askAbout>>;

/** Sends a request and returns the unchanged response, with any status. */
export const send = async (request: object) =>
	await axios.request<string>({
		maxRedirects: 0,
		timeout: 3e4,
		responseType: 'text',
		transformResponse: (text: string) => text,
		validateStatus: () => true,
		...request,
	});

function parseJson(text: string): Json {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Asks about one endpoint, with invalid values that make the service reject the request. */
async function askAbout(endpoint: Endpoint, { baseUrl, sign, types }: Service) {
	const { method, path, id, pathParameters } = endpoint;
	const all = Object.values(questions[id]!);
	const names = all.flatMap(({ sent, candidates, isText }) =>
		isText ? [] : [...sent, ...candidates],
	);
	const controls = pathParameters.length > 0 ? pathParameters : ['PageSize'];
	const fields = new Set([...controls, ...names]);
	const form = [...fields].map((name) => `${name}=${UNREADABLE}`).join('&');
	const url = baseUrl + path.replace(/\{\w+\}/g, '0');
	const isForm = method === 'POST';
	const signed = await sign({
		method,
		url: isForm ? url : `${url}?${form}`,
		...(isForm && {
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: form,
		}),
	});
	const body = isForm && { data: form };
	const { status, data, headers } = await send({ ...signed, method, ...body });
	const { errorCode = '', message = '', errors = [] } = parseJson(data)?.responseStatus ?? {};
	const [, requestType = ''] = /^Unable to bind to request '(\w+)'/.exec(message) ?? [];
	return {
		endpoint,
		status,
		errorCode: String(errorCode),
		requestType,
		members: types.get(requestType) ?? types.get(removeParameterNames(method, path)),
		known: errors.map(({ fieldName }: Json) => String(fieldName)) as string[],
		framework: ['x-powered-by', 'vary']
			.filter((name) => headers[name] !== undefined)
			.map((name) => `${name}: ${headers[name]}`)
			.join(', '),
	};
}

/** Asks about all endpoints, with at most five requests per second by default. */
export async function ask(service: Service, intervalMs = 200): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const endpoint of endpoints.filter(({ id }) => id in questions)) {
		if (findings.length > 0) await sleep(intervalMs);
		findings.push(await askAbout(endpoint, service));
	}
	return findings;
}

// Page on which a ServiceStack service describes its request types. It requires no keys, and a service can turn it off.

const TYPES_PAGE = '/types/typescript';

/** Pages of which the probe reads only the status, which shows whether a service describes itself. */
const OTHER_PAGES = ['/metadata', '/json/metadata', '/openapi'];

/** Returns the method and path without the names of path parameters. */
export const removeParameterNames = (method: string, path: string) =>
	`${method} ${path.replace(/\{[^}]*\}/g, '{}').toLowerCase()}`;

/** Parses the classes and their routes in the page `/types/typescript`. */
export function readTypes(page: string): RequestTypes {
	const types: RequestTypes = new Map();
	let routes: string[] = [];
	let members: string[] = [];
	for (const line of page.split('\n')) {
		const [, path, methods = ''] = /^\/\/ @Route\("([^"]*)"(?:, *"([^"]*)")?/.exec(line) ?? [];
		const [, type] = /^export class (\w+)/.exec(line) ?? [];
		const [, member] = /^\s+(?:public )?(\w+)\??: /.exec(line) ?? [];
		if (path !== undefined) {
			routes.push(...methods.split(',').map((method) => removeParameterNames(method.trim(), path)));
		} else if (type !== undefined) {
			members = [];
			for (const name of [type, ...routes]) types.set(name, members);
			routes = [];
		} else if (member !== undefined) {
			members.push(member);
		}
	}
	return types;
}

/** Reads the request types that a service describes, and the status of each page that might contain them. */
export async function readMetadata(baseUrl: string) {
	const pages: string[] = [];
	let types: RequestTypes = new Map();
	for (const path of [TYPES_PAGE, ...OTHER_PAGES]) {
		const { status, data } = await send({ url: baseUrl + path });
		pages.push(`${path} ${status}`);
		if (path === TYPES_PAGE && status === 200) types = readTypes(data);
	}
	return { types, pages };
}
