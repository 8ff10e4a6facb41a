import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';

/**
 * Ways to send a broken or unusual response to a request that was processed:
 * - `cut`: the connection is reset in the middle of the body;
 * - `long`: Content-Length is larger than the body, and the connection ends;
 * - `short`: Content-Length is smaller than the body;
 * - `slow`: the first 200 bytes are sent one by one with pauses, then the rest;
 * - `broken`: the JSON ends in the middle;
 * - `garbled`: cannot be decompressed as its header says;
 * - `empty`: status 200 without a body;
 * - `extended`: an object with lists beside what is documented;
 * - `huge`: 200 MB of valid JSON;
 * - `stuck`: half of the body is sent, and the rest never, until the client disconnects.
 */
export type BrokenResponse =
	| 'broken'
	| 'cut'
	| 'empty'
	| 'extended'
	| 'garbled'
	| 'huge'
	| 'long'
	| 'short'
	| 'slow'
	| 'stuck';

const SLOW_BYTES = 200;
const HUGE_BYTES = 200 * 1024 * 1024;

/** Sends a broken response; `text` is the correct body. */
export async function sendBroken(
	brokenResponse: BrokenResponse,
	text: string,
	response: Response,
): Promise<void> {
	const body = Buffer.from(text);
	const half = body.subarray(0, Math.ceil(body.length / 2));
	response.status(200).type('json');
	if (brokenResponse === 'slow') {
		response.socket?.setNoDelay();
		response.set('Content-Length', String(body.length));
		for (const byte of body.subarray(0, SLOW_BYTES)) {
			response.write(Buffer.of(byte));
			await sleep(1);
		}
		response.end(body.subarray(SLOW_BYTES));
	} else if (brokenResponse === 'huge') {
		// A client that disconnects in between is not an error of the simulator.
		await pipeline(hugeJson, response).catch(() => {});
	} else if (brokenResponse === 'stuck') {
		response.write(half);
	} else if (brokenResponse === 'garbled') {
		response.set('Content-Encoding', 'br').end(body);
	} else if (brokenResponse === 'broken') {
		response.end(half);
	} else if (brokenResponse === 'empty') {
		response.end();
	} else if (brokenResponse === 'extended') {
		const documented = JSON.parse(text);
		const isList = Array.isArray(documented);
		const extended = { notices: [{}], ...documented, warnings: [{}] };
		response.end(JSON.stringify(isList ? documented : extended));
	} else {
		// Written to the socket, because node:http refuses a wrong length.
		const { socket } = response;
		const length = body.length + { cut: 0, long: 100, short: -5 }[brokenResponse];
		const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
		socket?.write(
			Buffer.concat([Buffer.from(head), brokenResponse === 'cut' ? half : body]),
			() => {
				if (brokenResponse === 'cut') socket.resetAndDestroy();
				else socket.end();
			},
		);
	}
}

function* hugeJson() {
	const piece = Buffer.alloc(1024 * 1024, 'x');
	yield Buffer.from('{"filler":"');
	for (let sent = 0; sent < HUGE_BYTES; sent += piece.length) yield piece;
	yield Buffer.from('"}');
}
