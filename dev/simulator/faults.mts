import { EventEmitter, once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { errorBody, ServiceError } from './errors.mts';

export interface Fault {
	/** Affected operation, such as `proposal.get`, on any of its paths. Defaults to any operation. */
	operationId?: string;
	/** Number of requests that fail in this way. Defaults to 1. */
	times?: number;
	status?: number;
	headers?: Record<string, string>;
	/** Body. Text is sent unchanged, anything else as JSON. Defaults to an HttpError body for the status. */
	body?: unknown;
	/** Time of the fault: before the request has an effect (default), or `after`, so that only the response is lost. */
	when?: 'before' | 'after';
	disconnect?: boolean;
	brokenResponse?: keyof typeof senders;
	/** Whether to expire all user API keys when the request arrives, instead of failing the request. */
	expireKeys?: boolean;
}

/** Original function, bound before a test replaces it, so Vitest's fake timers don't affect the time limit. */
const abortAfter = AbortSignal.timeout.bind(AbortSignal);
/** Time limit for a request to arrive. Only starting n8n and waiting for a poll take longer. */
const ARRIVAL_LIMIT_MS = 10_000;

/** Moment at which a request is held: before it has any effect, or before its response. */
export type HoldTime = 'before' | 'after';

/**
 * Planned faults, each for one request, and gates that hold requests. An operation has at most one gate before and one
 * after its effect.
 */
export class Faults {
	private planned: Fault[] = [];
	private readonly gates = new Map<string, (goOn: () => void) => void>();

	plan({ times = 1, ...fault }: Fault): void {
		this.planned.push(...Array<Fault>(times).fill(fault));
	}

	/** Removes and returns the planned fault for a request to an operation; undefined if there is none. */
	take(operationName: string): Fault | undefined {
		const isMeant = ({ operationId }: Fault) => [undefined, operationName].includes(operationId);
		const index = this.planned.findIndex(isMeant);
		return index < 0 ? undefined : this.planned.splice(index, 1)[0];
	}

	clear(): void {
		this.planned = [];
	}

	/** Holds requests, so a test can decide their order instead of waiting. */
	hold(operationId: string, when: HoldTime) {
		const place = `${when} ${operationId}`;
		const waiting: (() => void)[] = [];
		const arrivals = new EventEmitter();
		let count = 0;
		this.gates.set(place, (goOn) => {
			waiting.push(goOn);
			count++;
			arrivals.emit('arrival');
		});
		return {
			get waiting(): number {
				return waiting.length;
			},
			/** Resolves when this many requests have arrived, including released ones. */
			async arrived(wanted: number, limitMs = ARRIVAL_LIMIT_MS): Promise<void> {
				const signal = abortAfter(limitMs);
				while (count < wanted) {
					await once(arrivals, 'arrival', { signal }).catch(() => {
						const seconds = limitMs / 1000;
						throw new Error(
							`Timed out after ${seconds} s: ${count} of ${wanted} requests to ${operationId} arrived.`,
						);
					});
				}
			},
			/**
			 * Releases this many requests, in order of arrival. Without a count, releases all and removes the
			 * gate.
			 */
			release: (many?: number): void => {
				if (many === undefined) this.gates.delete(place);
				for (const goOn of waiting.splice(0, many ?? waiting.length)) goOn();
			},
		};
	}

	async pass(operationId: string, when: HoldTime): Promise<void> {
		const arrive = this.gates.get(`${when} ${operationId}`);
		if (arrive) await new Promise<void>(arrive);
	}
}

const SLOW_BYTES = 200;
const HUGE_BYTES = 200 * 1024 * 1024;

/** Sends a response in a broken or unusual way. `body` is the correct body. */
type Sender = (response: Response, body: Buffer) => unknown;

const half = (body: Buffer) => body.subarray(0, Math.ceil(body.length / 2));

/**
 * Sends a Content-Length that is wrong by `difference` bytes. Bypasses node:http, which would reject the wrong length.
 */
const ofWrongLength =
	(difference: number): Sender =>
	({ socket }, body) => {
		socket!.write(formatHead(body.length + difference));
		socket!.end(body);
	};

const formatHead = (length: number) =>
	`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

function* hugeJson() {
	const piece = Buffer.alloc(1024 * 1024, 'x');
	yield Buffer.from('{"filler":"');
	for (let sent = 0; sent < HUGE_BYTES; sent += piece.length) yield piece;
	yield Buffer.from('"}');
}

/** Ways to respond to a processed request. */
const senders = {
	/** Resets the connection in the middle of the body. */
	cut: ({ socket }, body) => {
		const head = Buffer.from(formatHead(body.length));
		socket!.write(Buffer.concat([head, half(body)]), () => socket!.resetAndDestroy());
	},
	long: ofWrongLength(100),
	short: ofWrongLength(-5),
	/** Sends the first 200 bytes one by one with pauses, then the rest. */
	slow: async (response, body) => {
		response.socket?.setNoDelay();
		response.set('Content-Length', String(body.length));
		for (const byte of body.subarray(0, SLOW_BYTES)) {
			response.write(Buffer.of(byte));
			await sleep(1);
		}
		response.end(body.subarray(SLOW_BYTES));
	},
	broken: (response, body) => response.end(half(body)),
	/** Sends a body that can't be decompressed as its header says. */
	garbled: (response, body) => response.set('Content-Encoding', 'br').end(body),
	/** Sends an object with additional lists before and after the documented content. */
	extended: (response, body) => {
		const extended = { notices: [{}], ...JSON.parse(body.toString()), warnings: [{}] };
		response.end(JSON.stringify(extended));
	},
	empty: (response) => response.end(),
	/** Sends 200 MB of valid JSON. A client that disconnects before the end causes no error in the simulator. */
	huge: async (response) => await pipeline(hugeJson, response).catch(() => {}),
	/** Sends half of the body, and nothing more until the client disconnects. */
	stuck: (response, body) => response.write(half(body)),
} satisfies Record<string, Sender>;

/** Sends the response of a fault instead of a response with this body. */
export async function sendFault(fault: Fault, response: Response, body: unknown): Promise<void> {
	const { brokenResponse, status = 500, headers = {} } = fault;
	if (fault.disconnect) response.socket?.destroy();
	else if (brokenResponse === undefined) {
		const sent = fault.body ?? errorBody(new ServiceError(status, 'Injected by a test.'));
		if (typeof sent !== 'string') response.type('json');
		response.status(status).set(headers);
		response.end(typeof sent === 'string' ? sent : JSON.stringify(sent));
	} else {
		response.status(200).type('json');
		await senders[brokenResponse](
			response,
			Buffer.from(JSON.stringify(body ?? { message: 'Done.' })),
		);
	}
}
