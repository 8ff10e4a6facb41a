/** The access tokens of a stand-in, which n8n renews with a refresh token (OAuth 2.0, RFC 6749 section 6). */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const CLIENT = { clientId: 'demo-client', clientSecret: 'demo-client-secret' };
const BASIC = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');

/** How a service spells what it answers to a renewal. */
interface Dialect {
	/** The token that the credential begins with. */
	first: string;
	refreshToken: string;
	/** What every new token begins with. */
	prefix?: string;
	tokenType: 'bearer' | 'Bearer';
	/** In seconds. */
	lifetime: number;
	/** What it answers to another client; without it, it asks for no client in the header. */
	wrongClientStatus?: number;
	/** Fields beside the new token in the answer: the refresh token, where the service repeats it. */
	more?: object;
	/** Fields of its own in a refusal of the refresh token. */
	moreOfRefusal?: object;
}

/** The access tokens that a stand-in accepts at the moment. */
export class AccessTokens {
	/** What a credential of n8n holds after somebody has signed in. */
	readonly credential;
	readonly #dialect: Dialect;
	#valid = new Set<string>();

	constructor(dialect: Dialect) {
		this.#dialect = dialect;
		const oauthTokenData = {
			...this.#granted(dialect.first),
			refresh_token: dialect.refreshToken,
		};
		this.credential = { ...CLIENT, oauthTokenData };
		this.reset();
	}

	/** Accepts the first token only. */
	reset(): void {
		this.#valid = new Set([this.#dialect.first]);
	}

	/** Makes all access tokens invalid, as time does. */
	expire(): void {
		this.#valid.clear();
	}

	/** Whether an Authorization header carries a token that is valid now. */
	accepts(authorization = ''): boolean {
		const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
		return token !== undefined && this.#valid.has(token);
	}

	/** Answers the request for a new token; its form must have been read. */
	readonly renew: RequestHandler = ({ headers, body }, response) => {
		const { wrongClientStatus, refreshToken, prefix = '', more, moreOfRefusal } = this.#dialect;
		if (wrongClientStatus !== undefined && headers.authorization !== `Basic ${BASIC}`) {
			response.status(wrongClientStatus).json({ error: 'invalid_client' });
		} else if (body?.grant_type !== 'refresh_token' || body.refresh_token !== refreshToken) {
			response.status(400).json({ error: 'invalid_grant', ...moreOfRefusal });
		} else {
			const token = prefix + randomUUID();
			this.#valid.add(token);
			response.json({ ...this.#granted(token), ...more });
		}
	};

	#granted(token: string) {
		const { tokenType, lifetime } = this.#dialect;
		return { access_token: token, token_type: tokenType, expires_in: lifetime };
	}
}
