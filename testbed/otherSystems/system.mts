/** What the stand-ins of other systems have in common. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { recordsPage, type Records } from './page.mts';

export type { Records };

/** A credential for a stand-in, as it is created in n8n. */
export interface SystemCredential {
	name: string;
	type: string;
	data: Record<string, unknown>;
	/** The types of the nodes that use it. An HTTP Request node names the credential type itself. */
	nodes: string[];
}

/** Keeps back an answer whose request was processed. */
interface Hold {
	matches(method: string, path: string): boolean;
	reached: () => void;
}

/**
 * A small server that plays a service with which n8n's own nodes talk. It keeps its state in memory.
 */
export abstract class OtherSystem {
	/** The name of the service. */
	abstract readonly name: string;
	/** The host names under which n8n's nodes reach it. */
	abstract readonly hosts: readonly string[];
	abstract readonly credentials: readonly SystemCredential[];
	/** What a person would enter in the `Settings` step of a workflow, by the name of the field. */
	readonly settings: Readonly<Record<string, string>> = {};
	#server: Server | undefined;
	#holds: Hold[] = [];
	#held: Response[] = [];

	/** Adds the routes of the service. */
	protected abstract addRoutes(application: Express): void;

	/** All that it holds now. */
	abstract records(): Records;

	/** Puts it back to how it starts. */
	protected abstract clear(): void;

	/** Puts it back to how it starts, and hangs up on everyone whose answer it keeps back. */
	reset(): void {
		this.#holds = [];
		for (const response of this.#held.splice(0)) response.destroy();
		this.clear();
	}

	/**
	 * Processes the next request of this kind but never answers it, as when the connection breaks at
	 * the worst moment. Settles when the request was processed.
	 */
	holdNextAnswer(method: string, path: RegExp): Promise<unknown> {
		const { promise, resolve } = Promise.withResolvers<undefined>();
		const matches = (sent: string, to: string) => sent === method && path.test(to);
		this.#holds.push({ matches, reached: () => resolve(undefined) });
		return promise;
	}

	/** Where it listens, and where a person can see what it holds. */
	get url(): string {
		return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
	}

	async start(): Promise<void> {
		const application = express();
		application.disable('x-powered-by').disable('etag');
		application.get('/', this.#page);
		application.use(this.#keepBack);
		this.addRoutes(application);
		this.#server = application.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	async stop(): Promise<void> {
		if (!this.#server) return;
		this.#server.close();
		this.#server.closeAllConnections();
		await once(this.#server, 'close');
	}

	/** The page for a person; what comes through the proxy has the host name of the service. */
	readonly #page: RequestHandler = ({ hostname }, response, next) => {
		if (this.hosts.includes(hostname)) next();
		else response.type('html').send(recordsPage(this.name, this.records()));
	};

	readonly #keepBack: RequestHandler = ({ method, path }, response, next) => {
		const index = this.#holds.findIndex((hold) => hold.matches(method, path));
		if (index >= 0) {
			const [hold] = this.#holds.splice(index, 1);
			response.end = () => {
				this.#held.push(response);
				hold!.reached();
				return response;
			};
		}
		next();
	};
}
