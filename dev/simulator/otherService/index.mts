/** A practice service: a translator in front of a simulator, which does the work. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express, { type Request, type Response } from 'express';

import { matchRoute, operations, type Operation } from '../contract.mts';
import { seed, startSimulator, type Settings, type Simulator } from '../index.mts';
import { canonicalMessage, isSignedWith, type SignedParts } from '../signature.mts';
import { practiceServices, type PracticeService } from './services.mts';
import { describe, theirErrors, toContract } from './translate.mts';

export type ServiceName = keyof typeof practiceServices;

const FORM = 'application/x-www-form-urlencoded';
const { secretKey } = seed.dealer;

/** A request of the contract, with what signs it. */
interface Forwarded {
	method: string;
	url: string;
	contentType: string;
	body?: string | Buffer;
}

/** What of the headers goes on, signed for the simulator if it was signed for this service. */
function headersFor(simulator: Simulator, request: Request, forwarded: Forwarded) {
	const one = (name: string) => String(request.headers[name] ?? '');
	const signed = (method: string, baseUrl: string, contentType: string): SignedParts => ({
		...{ method, baseUrl, contentType },
		timestamp: one('x-mss-custom-date'),
		userKey: one('x-mss-api-userkey'),
	});
	const own = `http://${request.headers.host}${request.path}`;
	const isGenuine = isSignedWith(
		secretKey,
		signed(request.method, own, one('content-type')),
		one('x-mss-signature'),
	);
	const { method, url, contentType } = forwarded;
	const message = canonicalMessage(signed(method, simulator.url + url.split('?')[0]!, contentType));
	const signature = createHmac('sha256', secretKey).update(message).digest('base64');
	const passedOn = ['accept', 'x-mss-api-appid', 'x-mss-api-userkey', 'x-mss-custom-date'];
	const conditional = request.headers['if-modified-since'];
	return {
		...Object.fromEntries(
			passedOn.filter((name) => name in request.headers).map((name) => [name, one(name)]),
		),
		...(conditional && { 'if-modified-since': conditional }),
		...(contentType && { 'content-type': contentType }),
		'x-mss-signature': isGenuine ? signature : one('x-mss-signature'),
	};
}

async function forward(simulator: Simulator, request: Request, forwarded: Forwarded) {
	const { method, url, body } = forwarded;
	return await fetch(simulator.url + url, {
		method,
		headers: headersFor(simulator, request, forwarded),
		redirect: 'manual',
		...(body !== undefined && body.length > 0 && { body: body as string }),
	});
}

/** The request as the contract has it. */
function contractRequest(service: PracticeService, operation: Operation, request: Request) {
	const { method, originalUrl: url, body } = request;
	const contentType = String(request.headers['content-type'] ?? '');
	const isForm = operation.form !== undefined && !operation.isStreamed;
	const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
	return isForm
		? {
				method,
				url,
				contentType: FORM,
				body: toContract(service, operation, contentType, String(raw)),
			}
		: { method, url, contentType, body: raw };
}

async function answer(
	service: PracticeService,
	simulator: Simulator,
	request: Request,
	response: Response,
): Promise<void> {
	if (request.path === service.description) {
		response.type('text/plain').end(describe(service, operations));
		return;
	}
	const found = matchRoute([...operations], request.method, request.path);
	const operation = typeof found === 'object' ? found : undefined;
	const forwarded = contractRequest(service, operation ?? ({} as Operation), request);
	let reply = await forward(simulator, request, forwarded);
	const proposal = /^\/public\/proposals\/\d+/.exec(request.path)?.[0];
	if (reply.status === 400 && service.errors === 'none' && proposal !== undefined) {
		const reading = { method: 'GET', url: proposal, contentType: '' };
		reply = await forward(simulator, request, reading);
	}
	for (const name of ['content-type', 'date', 'last-modified']) {
		const value = reply.headers.get(name);
		if (value !== null) response.set(name, value);
	}
	response.status(reply.status);
	const text = await reply.text();
	const isRenamed = reply.status === 400 && operation !== undefined;
	response.end(
		isRenamed ? JSON.stringify(theirErrors(service, operation, JSON.parse(text))) : text,
	);
}

/**
 * Starts a practice service and the simulator behind it.
 *
 * @returns the simulator, with the address of the service
 */
export async function startPracticeService(
	name: ServiceName,
	{ port = 0, ...settings }: Partial<Settings> = {},
): Promise<Simulator> {
	const simulator = await startSimulator(settings);
	const application = express();
	application.use(express.raw({ type: () => true, limit: '2mb' }));
	application.use((request, response) =>
		answer(practiceServices[name], simulator, request, response),
	);
	const server = createServer(application).listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		await simulator.stop();
		throw error;
	}
	const { port: taken } = server.address() as AddressInfo;
	return {
		...simulator,
		url: `http://127.0.0.1:${taken}`,
		port: taken,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await simulator.stop();
		},
	};
}
