import { once } from 'node:events';
import { request } from 'node:http';
import type { Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/contract.mts';
import { hmac } from '../vectors/hmac.mts';

const FORM = 'application/x-www-form-urlencoded';

/** What a signed request is made of; each part can be set to something wrong. */
export interface Parts {
	body?: string | Buffer;
	contentType?: string;
	/** Replaces the signed message. */
	message?: (message: string) => string;
	secretKey?: string;
	/** Changes the headers after signing. */
	headers?: (headers: Record<string, string>) => Record<string, string>;
}

/** A client that signs without the published code and the simulator's (docs/dev/portal-api.md#signing). */
export class Client {
	private readonly simulator: Simulator;
	private readonly account: Record<'appKey' | 'secretKey' | 'username' | 'password', string>;
	private userKey = '';

	constructor(simulator: Simulator, account: Client['account']) {
		this.simulator = simulator;
		this.account = account;
	}

	async send(method: string, target: string, parts: Parts = {}) {
		const { appKey, secretKey } = this.account;
		const { body = '', contentType = body === '' ? '' : FORM } = parts;
		const date = new Date(this.simulator.control.now()).toUTCString();
		const url = this.simulator.url + target;
		const signedType = method === 'GET' ? '' : contentType;
		const message = method + url.split('?')[0]! + signedType + date + this.userKey;
		const signed = hmac(parts.secretKey ?? secretKey, parts.message?.(message) ?? message);
		const headers: Record<string, string> = {
			Accept: 'application/json',
			'X-MSS-API-APPID': appKey,
			'X-MSS-API-USERKEY': this.userKey,
			'X-MSS-CUSTOM-DATE': date,
			'X-MSS-SIGNATURE': signed.toString('base64'),
			...(contentType !== '' && { 'Content-Type': contentType }),
			'Content-Length': String(Buffer.byteLength(body)),
		};
		const outgoing = request(url, { method, headers: parts.headers?.(headers) ?? headers });
		outgoing.end(body);
		const [incoming] = await once(outgoing, 'response');
		const text = Buffer.concat(await incoming.toArray()).toString();
		const json: Json = text === '' ? undefined : JSON.parse(text);
		return { status: incoming.statusCode as number, json };
	}

	async signIn(): Promise<this> {
		const { username: UserName, password: Password } = this.account;
		const query = new URLSearchParams({ UserName, Password });
		const { json } = await this.send('GET', `/authenticate/apikeyexchange?${query}`);
		this.userKey = json.meta.apiKey;
		return this;
	}
}
