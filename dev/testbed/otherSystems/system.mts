/** Common parts of the stand-ins of other systems; `systems.yaml` has their data. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../../simulator/contract.mts';

/** The records of each kind, as the page shows them. */
export type Shown = Record<string, object[]>;

/** A file that a message has brought. */
export interface Attachment {
	filename: string;
	contentType: string;
	content: Buffer;
}

export const isAttachment = (value: unknown): value is Attachment =>
	Buffer.isBuffer((value as Attachment | null)?.content);

/** The HTML of an email. The page shows it as a mail program does. */
export interface Html {
	html: string;
}

export const isHtml = (value: unknown): value is Html =>
	typeof (value as Html | null)?.html === 'string';

/** Returns the attachments that n8n's parser of mail has found. */
export const readAttachments = (parsed: Json[]): Attachment[] =>
	parsed.map(({ filename = 'a file', contentType, content }) => ({
		filename,
		contentType,
		content,
	}));

/** The times at which records were written. */
const times = new WeakMap<object, string>();

/** Remembers the time of a new record. What a service has in the beginning has none. */
export function stamp(record: object, time = new Date().toLocaleTimeString('en-GB')): void {
	if (!times.has(record)) times.set(record, time);
}

export const timeOf = (record: object): string => times.get(record) ?? '';

export interface OtherSystem {
	readonly name: string;
	/** As it is created in n8n, and the type of the node that uses it. */
	readonly credential: { type: string; data: Record<string, unknown>; node: string };
	/** Values for the `Settings` step of a workflow, by the name of the field. */
	readonly settings?: Record<string, string>;
	/** What a person would choose in the fields of its steps that are empty, by the name of the parameter. */
	readonly parameters?: Record<string, unknown>;
	/** All that it holds now, as its page shows it, the newest last. */
	shown(): Shown | Promise<Shown>;
	/** Puts it back to how it starts. */
	reset(): void;
}

export interface Asked {
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

/** A response that is lost on its way back: the record is stored, and n8n gets a hang-up. */
export interface Answer {
	status: number;
	body: object;
	isLost?: boolean;
}

export const notFound = new Refusal(404, { message: 'There is no such thing here.' });

/**
 * Multiplies decimal numbers as an accountant does, in cents: 19.99 × 2.5 is 49.98, where binary
 * numbers give 49.97. Numbers may have six decimals.
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
export function added<T>(list: T[], record: T): T {
	list.push(record);
	return record;
}

interface Definition {
	records: Record<string, object[]>;
	/** The page for people, where it is not the records. */
	shown?: OtherSystem['shown'];
	/** The handler of each method and path; `parts` are the parts of the path. */
	routes: Record<string, (asked: Asked, parts: Record<string, string>) => object>;
	/** Adds what it has in the beginning. */
	fill?: (start: Json) => void;
	/** Calls beyond these are rejected until the minute is over. */
	callsPerMinute?: number;
}

const declarations: Record<string, Json> = parse(
	readFileSync(new URL('systems.yaml', import.meta.url), 'utf8'),
);

const isWrite = ({ method, path }: Asked): boolean => method !== 'GET' && !path.endsWith('/search');

/** Makes a service that checks the token, finds the route, and remembers what was written. */
export function webService(key: string, definition: Definition) {
	const { records, routes, fill, callsPerMinute = Infinity } = definition;
	const all = () => Object.values(records).flat();
	const withTimes = () =>
		Object.fromEntries(
			Object.entries(records).map(([kind, list]) => [
				kind,
				list.map((record) => ({ time: timeOf(record), ...record })),
			]),
		);
	const { shown = withTimes } = definition;
	const { name, hosts, settings, parameters, start, token, credential } = declarations[key];
	const { type, node, tokenData, more } = credential;
	const oauthTokenData = { access_token: token, token_type: 'Bearer', ...tokenData };
	const client = { clientId: 'demo-client', clientSecret: 'demo-client-secret' };
	const data = credential.data ?? { ...client, oauthTokenData, ...more };
	/** The written records, in order. */
	const writes: Pick<Asked, 'method' | 'path' | 'body'>[] = [];
	/** The times of the calls of the last minute. */
	const calls: number[] = [];
	const limits = { minute: 60_000 };
	let lostPath: string | undefined;
	let rejectedPath: string | undefined;

	const find = (asked: Asked): object => {
		const { method, path, headers, body } = asked;
		if (headers.authorization !== `Bearer ${token}`) {
			throw new Refusal(401, { message: 'This is not the token of the credential.' });
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
		shown,
		reset,
	};
	return {
		...service,
		hosts: hosts as string[],
		writes,
		limits,
		/** Stores what the next request to a path brings, and loses the response to it. */
		loseNextResponse(path: string) {
			lostPath = path;
		},
		/** Rejects the next request to a path that would write something. */
		rejectNext(path: string) {
			rejectedPath = path;
		},
		answer(asked: Asked): Answer {
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
