/** Provides common parts of the simulated systems. `systems.yaml` contains their data. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../../simulator/contract.mts';

/** Records of each kind, as shown on the page. */
export type PageRecords = Record<string, object[]>;

/** File attached to a message. */
export interface Attachment {
	filename: string;
	contentType: string;
	content: Buffer;
}

export const isAttachment = (value: unknown): value is Attachment =>
	Buffer.isBuffer((value as Attachment | null)?.content);

/** HTML of an email, which the page displays as a mail program would. */
export interface Html {
	html: string;
}

export const isHtml = (value: unknown): value is Html =>
	typeof (value as Html | null)?.html === 'string';

/** Returns the attachments that n8n's mail parser found. */
export const readAttachments = (parsed: Json[]): Attachment[] =>
	parsed.map(({ filename = 'a file', contentType, content }) => ({
		filename,
		contentType,
		content,
	}));

/** Times at which records were written. */
const times = new WeakMap<object, string>();

/** Remembers a new record's time. Initial records have none. */
export function stamp(record: object, time = new Date().toLocaleTimeString('en-GB')): void {
	if (!times.has(record)) times.set(record, time);
}

export const findTime = (record: object): string => times.get(record) ?? '';

export interface OtherSystem {
	readonly name: string;
	/** Credential as created in n8n, and the type of the node that uses it. */
	readonly credential: { type: string; data: Record<string, unknown>; node: string };
	/** Values for a workflow's `Settings` step, by field name. */
	readonly settings?: Record<string, string>;
	/** Values that a person chooses in the empty fields of the system's steps, by parameter name. */
	readonly parameters?: Record<string, unknown>;
	/** Returns all current records for the system's page, newest last. */
	listRecords(): PageRecords | Promise<PageRecords>;
	/** Restores the initial state. */
	reset(): void;
}

export interface SystemRequest {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | string[] | undefined>;
	body: Json;
}

export class Refusal extends Error {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
	}
}

/** Response to a request. If `isLost` is set, the record is stored, but n8n's connection breaks. */
export interface SystemResponse {
	status: number;
	body: object;
	isLost?: boolean;
}

export const notFound = new Refusal(404, { message: 'This URL is not simulated.' });

/**
 * Multiplies decimal numbers as an accountant would, and returns cents: 19.99 × 2.5 is 49.98, but would be 49.97 with
 * binary numbers. The numbers can have six decimals.
 */
export function centsOf(quantity: number, price: number): number {
	const [left, right] = [quantity, price].map((number) => BigInt(Math.round(number * 1e6))) as [
		bigint,
		bigint,
	];
	const product = left * right;
	const half = product < 0n ? -5_000_000_000n : 5_000_000_000n;
	return Number((product + half) / 10_000_000_000n);
}

/** Adds a record to a list and returns it. */
export function addRecord<T>(list: T[], record: T): T {
	list.push(record);
	return record;
}

interface Definition {
	records: Record<string, object[]>;
	/** Records on the page that people view in a browser, if they differ from `records`. */
	shown?: OtherSystem['listRecords'];
	/** Handler of each method and path. `parts` are the parts of the path. */
	routes: Record<string, (asked: SystemRequest, parts: Record<string, string>) => object>;
	/** Adds the initial records. */
	fill?: (start: Json) => void;
	/** Maximum number of calls in a minute. Further calls are rejected. */
	callsPerMinute?: number;
}

const declarations: Record<string, Json> = parse(
	readFileSync(new URL('systems.yaml', import.meta.url), 'utf8'),
);

const isWrite = ({ method, path }: SystemRequest): boolean =>
	method !== 'GET' && !path.endsWith('/search');

/** Creates a service that checks the token, finds the route, and remembers written records. */
export function webService(key: string, definition: Definition) {
	const { records, routes, fill, callsPerMinute = Infinity } = definition;
	const all = () => Object.values(records).flat();
	const addTimes = () =>
		Object.fromEntries(
			Object.entries(records).map(([kind, list]) => [
				kind,
				list.map((record) => ({ time: findTime(record), ...record })),
			]),
		);
	const { shown = addTimes } = definition;
	const { name, hosts, settings, parameters, start, token, credential } = declarations[key];
	const { type, node, tokenData, more } = credential;
	const oauthTokenData = { access_token: token, token_type: 'Bearer', ...tokenData };
	const client = { clientId: 'demo-client', clientSecret: 'demo-client-secret' };
	const data = credential.data ?? { ...client, oauthTokenData, ...more };
	/** Write requests that were processed, in order. */
	const writes: Pick<SystemRequest, 'method' | 'path' | 'body'>[] = [];
	/** Times of the last minute's calls. */
	const calls: number[] = [];
	const limits = { minute: 60_000 };
	let lostPath: string | undefined;
	let rejectedPath: string | undefined;

	const find = (asked: SystemRequest): object => {
		const { method, path, headers, body } = asked;
		if (headers.authorization !== `Bearer ${token}`) {
			throw new Refusal(401, { message: "This is not the credential's token." });
		}
		const now = Date.now();
		while (calls.length > 0 && calls[0]! <= now - limits.minute) calls.shift();
		if (calls.length >= callsPerMinute) throw new Refusal(429, { message: 'Too many requests' });
		calls.push(now);
		for (const [route, answer] of Object.entries(routes)) {
			const [routeMethod, pathname] = route.split(' ');
			const match = new URLPattern({ pathname: pathname! }).exec({ pathname: path });
			if (!match || routeMethod !== method) continue;
			const parts = Object.entries(match.pathname.groups);
			const answered = answer(
				asked,
				Object.fromEntries(parts.map(([name, part]) => [name, decodeURIComponent(part ?? '')])),
			);
			if (isWrite(asked)) {
				writes.push({ method, path, body });
				for (const record of all()) stamp(record);
			}
			return answered;
		}
		throw notFound;
	};

	const reset = () => {
		for (const list of [writes, calls, ...Object.values(records)]) list.length = 0;
		lostPath = undefined;
		rejectedPath = undefined;
		fill?.(structuredClone(start));
		for (const record of all()) stamp(record, '');
	};
	reset();
	const service: OtherSystem = {
		name,
		settings,
		parameters,
		credential: { type, node, data },
		listRecords: shown,
		reset,
	};
	return {
		...service,
		hosts: hosts as string[],
		writes,
		limits,
		/** Makes the service process the next request to a path without sending a response. */
		loseNextResponse(path: string) {
			lostPath = path;
		},
		/** Makes the service reject the next write request to a path. */
		rejectNext(path: string) {
			rejectedPath = path;
		},
		respond(asked: SystemRequest): SystemResponse {
			try {
				if (rejectedPath !== undefined && isWrite(asked) && asked.path.endsWith(rejectedPath)) {
					rejectedPath = undefined;
					throw new Refusal(400, { message: 'This is rejected.' });
				}
				const body = find(asked);
				const isLost =
					lostPath !== undefined && asked.method !== 'GET' && asked.path.endsWith(lostPath);
				if (isLost) lostPath = undefined;
				return { status: 200, body, isLost };
			} catch (error) {
				if (error instanceof Refusal) return error;
				throw error;
			}
		},
	};
}
