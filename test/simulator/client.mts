import { request } from 'node:http';

import type { Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { hmac } from '../vectors/hmac.mts';

/** An answer, its JSON parsed when it is JSON. */
export interface Reply {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	json: Json;
}

/** Sends a request exactly as given: headers are names and values in turn, in this order. */
export function send(
	url: string,
	method: string,
	headers: string[],
	body?: string | Buffer,
): Promise<Reply> {
	return new Promise((resolve, reject) => {
		const { hostname, port, host } = new URL(url);
		// The target as it is written: new URL would normalise percent-encoding and dots.
		const path = url.slice(url.indexOf(host) + host.length);
		const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
		const all = ['Host', host, ...headers, ...length];
		const outgoing = request({ hostname, port, method, path, headers: all as Json }, (incoming) => {
			const chunks: Buffer[] = [];
			incoming.on('data', (chunk) => chunks.push(chunk));
			incoming.on('end', () => {
				const text = Buffer.concat(chunks).toString();
				const isJson = /json/.test(incoming.headers['content-type'] ?? '');
				resolve({
					status: incoming.statusCode!,
					headers: incoming.headers,
					text,
					json: isJson && text ? JSON.parse(text) : undefined,
				});
			});
		});
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

interface Account {
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
}

/** What a signed request is made of; each part can be set to something wrong. */
export interface Parts {
	contentType?: string;
	userKey?: string;
	date?: string;
	/** Replaces the signed message. */
	message?: string;
	secretKey?: string;
	/** Changes the headers after signing. */
	headers?: (headers: string[]) => string[];
}

/** A client that signs without the published code and the simulator's (docs/portal-api.md#signing). */
export class Client {
	readonly simulator: Simulator;
	readonly account: Account;
	userKey = '';

	constructor(simulator: Simulator, account: Account) {
		this.simulator = simulator;
		this.account = account;
	}

	raw(method: string, target: string, body?: string | Buffer, parts: Parts = {}): Promise<Reply> {
		const { appKey, secretKey } = this.account;
		const date = parts.date ?? new Date(this.simulator.control.now()).toUTCString();
		const userKey = parts.userKey ?? this.userKey;
		const base = this.simulator.url + target.split('?')[0];
		const contentType = method === 'GET' ? '' : (parts.contentType ?? '');
		const message = parts.message ?? method + base + contentType + date + userKey;
		const headers = [
			...['Accept', 'application/json', 'X-MSS-API-APPID', appKey, 'X-MSS-API-USERKEY', userKey],
			...['X-MSS-CUSTOM-DATE', date, 'X-MSS-SIGNATURE'],
			hmac(parts.secretKey ?? secretKey, message).toString('base64'),
			...(parts.contentType === undefined ? [] : ['Content-Type', parts.contentType]),
		];
		return send(this.simulator.url + target, method, parts.headers?.(headers) ?? headers, body);
	}

	async signIn(): Promise<this> {
		const { username: UserName, password: Password } = this.account;
		const target = `/authenticate/apikeyexchange?${new URLSearchParams({ UserName, Password })}`;
		const { json } = await this.raw('GET', target, undefined, { userKey: '' });
		this.userKey = json.meta.apiKey;
		return this;
	}

	get(target: string): Promise<Reply> {
		return this.raw('GET', target);
	}

	delete(target: string): Promise<Reply> {
		return this.raw('DELETE', target);
	}

	/** A form; the values of a list become a repeated field. */
	form(
		target: string,
		fields: Record<string, unknown> | [string, string][] = {},
		method = 'POST',
	): Promise<Reply> {
		const entries = Array.isArray(fields) ? fields : Object.entries(fields);
		const pairs = entries.flatMap(([name, value]) =>
			[value].flat().map((one): [string, string] => [name, String(one)]),
		);
		const contentType = 'application/x-www-form-urlencoded';
		return this.raw(method, target, new URLSearchParams(pairs).toString(), { contentType });
	}

	json(target: string, body: unknown): Promise<Reply> {
		return this.raw('POST', target, JSON.stringify(body), { contentType: 'application/json' });
	}
}

/** The names of the fields that an HttpError complains about. */
export const fieldsOf = (reply: Reply): string[] =>
	reply.json.responseStatus.errors.map((one: Json) => one.fieldName);
