/** A practice service: a translator in front of a simulator, which does the work. It checks no signatures. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express, { type Request, type Response } from 'express';

import { matchRoute, operations } from '../contract.mts';
import { seed, startSimulator, type Settings, type Simulator } from '../index.mts';
import { canonicalMessage } from '../signature.mts';
import { practiceServices, type PracticeService } from './services.mts';
import { describe, theirErrors, toContract } from './translate.mts';

export type ServiceName = keyof typeof practiceServices;

const FORM = 'application/x-www-form-urlencoded';
const { secretKey } = seed.dealer;

/** A request of the contract. */
interface Forwarded {
	method: string;
	url: string;
	contentType: string;
	body?: string | Buffer;
}

/** Signs a request for the simulator, with the key and date of the one that this service got. */
function headersFor(
	simulator: Simulator,
	request: Request,
	{ method, url, contentType }: Forwarded,
) {
	const one = (name: string) => String(request.headers[name] ?? '');
	const message = canonicalMessage({
		...{ method, contentType, baseUrl: simulator.url + url.split('?')[0]! },
		timestamp: one('x-mss-custom-date'),
		userKey: one('x-mss-api-userkey'),
	});
	const signature = createHmac('sha256', secretKey).update(message).digest('base64');
	const passedOn = ['accept', 'x-mss-api-appid', 'x-mss-api-userkey', 'x-mss-custom-date'];
	return {
		...Object.fromEntries(passedOn.map((name) => [name, one(name)])),
		...(contentType && { 'content-type': contentType }),
		'x-mss-signature': signature,
	};
}

async function forward(simulator: Simulator, request: Request, forwarded: Forwarded) {
	const { method, url, body = '' } = forwarded;
	const headers = headersFor(simulator, request, forwarded);
	const init = { method, headers, ...(body.length > 0 && { body: body as string }) };
	return await fetch(simulator.url + url, init);
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
	const { method, originalUrl: url } = request;
	const contentType = String(request.headers['content-type'] ?? '');
	const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
	const isForm = operation?.form !== undefined && !operation.isStreamed;
	let reply = await forward(simulator, request, {
		...{ method, url },
		...(isForm
			? { contentType: FORM, body: toContract(service, operation, contentType, String(raw)) }
			: { contentType, body: raw }),
	});
	const proposal = /^\/public\/proposals\/\d+/.exec(request.path)?.[0];
	if (reply.status === 400 && service.errors === 'none' && proposal !== undefined) {
		reply = await forward(simulator, request, { method: 'GET', url: proposal, contentType: '' });
	}
	const text = await reply.text();
	const isRenamed = reply.status === 400 && operation !== undefined;
	response
		.status(reply.status)
		.set('content-type', reply.headers.get('content-type') ?? 'text/plain')
		.end(isRenamed ? JSON.stringify(theirErrors(service, operation, JSON.parse(text))) : text);
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
	await once(server, 'listening').catch(async (error) => {
		await simulator.stop();
		throw error;
	});
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
