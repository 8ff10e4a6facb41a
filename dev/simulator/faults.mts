import { EventEmitter, once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { errorBody, ServiceError } from './errors.mts';

export interface Fault {
	/** Only for this operation (`proposal.get`), on either of its paths. Default: any. */
	operationId?: string;
	/** Number of requests that fail this way; default 1. */
	times?: number;
	status?: number;
	headers?: Record<string, string>;
	/** Text is sent unchanged, anything else as JSON. Default: an HttpError body for the status. */
	body?: unknown;
	/** `before` (default): the request has no effect. `after`: only its response is lost. */
	when?: 'before' | 'after';
	disconnect?: boolean;
	brokenResponse?: keyof typeof senders;
	/** Nothing fails, but all user keys expire when the request arrives. */
	expireKeys?: boolean;
}

/** Bound before a test replaces it, and not moved by Vitest's fake timers. */
const abortAfter = AbortSignal.timeout.bind(AbortSignal);
/** Without an n8n that has to start or poll first, a request that takes longer never comes. */
const ARRIVAL_LIMIT_MS = 10_000;

/** When a request is held: before it has any effect, or when only its response is missing. */
export type HoldTime = 'before' | 'after';

/** The faults that tests plan, one for each request, and the gates, one for an operation at a time. */
export class Faults {
	private planned: Fault[] = [];
	private readonly gates = new Map<string, (goOn: () => void) => void>();

	plan({ times = 1, ...fault }: Fault): void {
		this.planned.push(...Array<Fault>(times).fill(fault));
	}

	/** Takes the fault for a request to an operation; undefined without one. */
	take(operationName: string): Fault | undefined {
		const isMeant = ({ operationId }: Fault) => [undefined, operationName].includes(operationId);
		const index = this.planned.findIndex(isMeant);
		return index < 0 ? undefined : this.planned.splice(index, 1)[0];
	}

	clear(): void {
		this.planned = [];
	}

	/** Holds requests, so that a test decides their order instead of waiting. */
	hold(operationId: string, when: HoldTime) {
		const place = `${when} ${operationId}`;
		const held: (() => void)[] = [];
		const arrivals = new EventEmitter();
		let count = 0;
		this.gates.set(place, (goOn) => {
			held.push(goOn);
			count++;
			arrivals.emit('arrival');
		});
		return {
			get waiting(): number {
				return held.length;
			},
			/** Resolves when so many requests have arrived, those that went on included. */
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
			/** Lets so many requests go on, in order of arrival; without a count all, and the gate is gone. */
			release: (many?: number): void => {
				if (many === undefined) this.gates.delete(place);
				for (const goOn of held.splice(0, many ?? held.length)) goOn();
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

/** Sends a response in a broken or unusual way; `body` is the correct one. */
type Sender = (response: Response, body: Buffer) => unknown;

const half = (body: Buffer) => body.subarray(0, Math.ceil(body.length / 2));

/** Sends a Content-Length that is wrong by `difference` bytes; past node:http, which refuses it. */
const ofWrongLength =
	(difference: number): Sender =>
	({ socket }, body) => {
		socket!.write(headOf(body.length + difference));
		socket!.end(body);
	};

const headOf = (length: number) =>
	`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

function* hugeJson() {
	const piece = Buffer.alloc(1024 * 1024, 'x');
	yield Buffer.from('{"filler":"');
	for (let sent = 0; sent < HUGE_BYTES; sent += piece.length) yield piece;
	yield Buffer.from('"}');
}

/** The ways to respond to a request that was processed. */
const senders = {
	/** The connection is reset in the middle of the body. */
	cut: ({ socket }, body) => {
		const head = Buffer.from(headOf(body.length));
		socket!.write(Buffer.concat([head, half(body)]), () => socket!.resetAndDestroy());
	},
	long: ofWrongLength(100),
	short: ofWrongLength(-5),
	/** The first 200 bytes are sent one by one with pauses, then the rest. */
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
	/** Cannot be decompressed as its header says. */
	garbled: (response, body) => response.set('Content-Encoding', 'br').end(body),
	/** An object with further lists, before and after what is documented. */
	extended: (response, body) => {
		const extended = { notices: [{}], ...JSON.parse(body.toString()), warnings: [{}] };
		response.end(JSON.stringify(extended));
	},
	empty: (response) => response.end(),
	/** 200 MB of valid JSON. A client that disconnects in between is not an error of the simulator. */
	huge: async (response) => await pipeline(hugeJson, response).catch(() => {}),
	/** Half of the body is sent, and the rest never, until the client disconnects. */
	stuck: (response, body) => response.write(half(body)),
} satisfies Record<string, Sender>;

/** Sends a fault in place of a response with this body. */
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
