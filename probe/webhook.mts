/** Receives what the service sends to a webhook subscription, and describes it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { acceptedEvents, webhookEvents } from './facts/events.mts';
import { shapeOf } from './facts/shape.mts';
import { subscribe } from './walk/subscribing.mts';
import type { Json, Walk } from './walk/walk.mts';

const load = createRequire(import.meta.url);
const { refusal } = load('../dist/nodes/PortalIoTrigger/signature.js');

/** How old a delivery may be, in seconds; the service's own figure. */
const TOLERANCE_SECONDS = 300;
const LARGEST_BODY = 1024 * 1024;
/** How many genuine deliveries are kept; the AI work of a run provokes a few. */
const MOST_DELIVERIES = 64;
/** How many senders may be connected at once. */
const MOST_CONNECTIONS = 32;
/** The member of data whose values are worth knowing: words of the service, not of the account. */
const WORD = /^[A-Z][A-Za-z]{2,24}$/;

/** One delivery, as it arrived. */
interface Delivery {
	headers: IncomingMessage['headers'];
	body: Buffer;
	time: number;
}

/** A subscription to every known event at a public address that leads to this machine. */
export class WebhookTest {
	private readonly walk: Walk;
	private readonly address: { url: string; port: number };
	private readonly server: Server;
	private readonly deliveries: Delivery[] = [];
	private readonly secrets: string[] = [];
	/** How many deliveries were not described, by the reason. */
	private readonly refused: Record<string, number> = {};
	private isOpen = false;

	constructor(walk: Walk, address: { url: string; port: number }) {
		this.walk = walk;
		this.address = address;
		this.server = createServer((request, response) => {
			this.receive(request).then(
				(status) => response.writeHead(status).end(),
				// The sender closed in the middle.
				() => request.socket.destroy(),
			);
		});
		this.server.maxConnections = MOST_CONNECTIONS;
		walk.probe.facts.webhook = 'not tried: only AI work provokes an event, so it needs --ai';
	}

	/** Listens, and subscribes to all events that there are. */
	async open(): Promise<void> {
		const { walk, server, address } = this;
		const { facts } = walk.probe;
		try {
			server.listen(address.port);
			await once(server, 'listening');
		} catch (error) {
			const { code = 'no reason' } = error as NodeJS.ErrnoException;
			facts.webhook = `not tried: nothing can listen on port ${address.port} (${code})`;
			return;
		}
		facts.webhookEvents = await webhookEvents(walk);
		const events = acceptedEvents(walk);
		for (const event of events) {
			const made = await subscribe(walk, [event], event, address.url);
			if (typeof made?.secretKey === 'string') this.secrets.push(made.secretKey);
		}
		this.isOpen = true;
	}

	/** Waits for the events of the AI work that was done, and reports them. */
	async wait(): Promise<void> {
		const { walk, deliveries } = this;
		if (!this.isOpen) return;
		const started = ['aiOutline.generate', 'aiBuild.start'].filter((operation) =>
			[operation, `${operation}.alternate`].some((one) => this.isStarted(one)),
		);
		const types = () => new Set(deliveries.map(({ body }) => envelopeOf(body).type));
		for (const end = Date.now() + walk.aiLimitMs; types().size < started.length;) {
			if (Date.now() > end || walk.probe.service.signal.aborted) break;
			await wait(walk.pauseMs, undefined, { signal: walk.probe.service.signal }).catch(() => {});
		}
		this.report(started.length);
	}

	/** Stops listening. The subscriptions are removed with those of the walk. */
	async close(): Promise<void> {
		if (!this.server.listening) return;
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}

	private isStarted(operation: string): boolean {
		const status = this.walk.probe.endpoints.get(operation)?.response?.status ?? 0;
		return status >= 200 && status < 300;
	}

	private async receive(request: IncomingMessage): Promise<number> {
		const chunks: Buffer[] = [];
		let bytes = 0;
		for await (const chunk of request as AsyncIterable<Buffer>) {
			bytes += chunk.byteLength;
			if (bytes > LARGEST_BODY) return 413;
			chunks.push(chunk);
		}
		const { method, headers } = request;
		if (method !== 'POST') return 405;
		this.keep({ headers, body: Buffer.concat(chunks), time: Date.now() });
		return 200;
	}

	/** Anybody can send something here: of what the service did not sign only the number is kept. */
	private keep(delivery: Delivery): void {
		const { headers, body, time } = delivery;
		const reason: string | undefined = refusal({
			...{ header: headers['x-webhook-signature'], body, now: time, secrets: this.secrets },
			toleranceSeconds: TOLERANCE_SECONDS,
		});
		if (reason !== undefined) this.refused[reason] = (this.refused[reason] ?? 0) + 1;
		else if (this.deliveries.length < MOST_DELIVERIES) this.deliveries.push(delivery);
	}

	private report(expected: number): void {
		const { facts } = this.walk.probe;
		if (Object.keys(this.refused).length > 0) facts.webhookRefused = { ...this.refused };
		if (expected === 0) {
			facts.webhook = 'not tried: no AI work could be started';
		} else if (this.deliveries.length === 0) {
			const what = 'webhookRefused' in facts ? 'nothing with a valid signature' : 'nothing';
			facts.webhook = `${what} arrived within ${this.walk.aiLimitMs / 1000} seconds`;
		} else {
			// One of each kind: an event that comes twice has the same shape.
			const described = this.deliveries.map((delivery) => this.describe(delivery));
			facts.webhook = Object.fromEntries(described.map(({ type, ...rest }) => [type, rest]));
		}
	}

	private describe({ headers, body, time }: Delivery): Json {
		const envelope = envelopeOf(body);
		const { data } = envelope;
		return {
			type: String(envelope.type),
			signature: 'valid',
			headers: Object.keys(headers).sort(),
			members: Object.keys(envelope).sort(),
			data: shapeOf(data),
			...(WORD.test(data?.status) ? { status: data.status } : {}),
			secondsAfterCreated: Math.round((time - Date.parse(envelope.created)) / 1000),
		};
	}
}

function envelopeOf(body: Buffer): Json {
	try {
		return JSON.parse(String(body)) ?? {};
	} catch {
		return {};
	}
}
