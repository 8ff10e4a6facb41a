/** What the stand-ins of other systems have in common. */
import type { Records } from './page.mts';

export type { Records };

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** A credential for a stand-in, as it is created in n8n. */
export interface SystemCredential {
	name: string;
	type: string;
	data: Fields;
	/** The types of the nodes that use it. An HTTP Request node names the credential type itself. */
	nodes: string[];
}

/** A request of n8n. */
export interface Asked {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | string[] | undefined>;
	body: Fields;
}

/** Which method and path a handler answers; it gets what the pattern captures. */
export type Route = [
	method: string,
	path: RegExp,
	answer: (asked: Asked, ...parts: string[]) => object,
];

/** What a service answers to a request that it does not accept. */
export class Refusal extends Error {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
	}
}

/** Something that a service keeps, as far as the pages and the tests look at it. */
export interface OtherSystem {
	/** The name of the service. */
	readonly name: string;
	readonly credentials: readonly SystemCredential[];
	/** What a person would enter in the `Settings` step of a workflow, by the name of the field. */
	readonly settings: Readonly<Record<string, string>>;
	/** All that it holds now. */
	records(): Records;
	/** Puts it back to how it starts. */
	reset(): void;
}

/** A service with an HTTP API to which n8n's nodes have fixed addresses. */
export abstract class WebService implements OtherSystem {
	abstract readonly name: string;
	abstract readonly credentials: readonly SystemCredential[];
	readonly settings: Readonly<Record<string, string>> = {};
	/** The host names under which n8n's nodes reach it. */
	abstract readonly hosts: readonly string[];
	/** The token with which n8n has to come. */
	protected abstract readonly token: string;
	protected abstract readonly routes: Route[];
	/** What was written, in order. */
	readonly writes: Pick<Asked, 'method' | 'path' | 'body'>[] = [];

	abstract records(): Records;
	protected abstract clear(): void;
	protected abstract unauthorized(): Refusal;
	protected abstract notFound(): Refusal;

	reset(): void {
		this.writes.length = 0;
		this.clear();
	}

	/** Answers a request, and remembers it if it writes something. */
	answer(asked: Asked): { status: number; body: object } {
		try {
			if (asked.headers.authorization !== `Bearer ${this.token}`) throw this.unauthorized();
			for (const [method, pattern, handle] of this.routes) {
				const [, ...parts] = (method === asked.method && pattern.exec(asked.path)) || [];
				if (method !== asked.method || !pattern.test(asked.path)) continue;
				const body = handle(asked, ...parts.map(decodeURIComponent));
				const { path } = asked;
				if (method !== 'GET' && !path.endsWith('/search')) {
					this.writes.push({ method, path, body: asked.body });
				}
				return { status: 200, body };
			}
			throw this.notFound();
		} catch (error) {
			if (error instanceof Refusal) return error;
			throw error;
		}
	}
}
