import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express, type Request, type Response } from 'express';
import { receiveUpload } from './ai/upload.mts';
import { authenticate, authorize, wrongSignature } from './authentication.mts';
import { bind, type Sources } from './binder.mts';
import { endpointsAt, endpointsFor, type Endpoint, type Json } from './contract.mts';
import { errorBody, ServiceError } from './errors.mts';
import { sendFault, type Fault, type Faults } from './faults.mts';
import { findDraft } from './handlers/ai.mts';
import { handlers } from './handlers/index.mts';
import { typescriptPage, checkValues, requestFields, addZeros } from './requestTypes.mts';
import { respondWithDetail } from './proposals.mts';
import { record, type RecordedRequest } from './requestLog.mts';
import { clientPages } from './page/clientPages.mts';
import { ContractViolation, render } from './render.mts';
import type { HandlerResponse, Call, Context } from './context.mts';

export interface ServerParts {
	context: Context;
	requests: RecordedRequest[];
	faults: Faults;
	violations: string[];
}

/** Headers in every response of the framework, unless they are turned off. */
const FRAMEWORK_HEADERS = { Vary: 'Accept', 'X-Powered-By': 'ServiceStack/8.60 NET8/Linux' };

interface Exchange {
	request: Request;
	response: Response;
	entry: RecordedRequest;
	endpoint: Endpoint;
}

const parseMediaType = (request: Request) =>
	(request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

const comesBefore = ({ when, brokenResponse, expireKeys }: Fault) =>
	when !== 'after' && brokenResponse === undefined && expireKeys !== true;

function readSources({ request, entry, endpoint }: Exchange): Sources {
	const { method, path, query, bodyText } = entry;
	const type = parseMediaType(request);
	const parameters = Object.entries(endpoint.pattern.exec(path)!.groups ?? {});
	return {
		path: Object.fromEntries(
			parameters.map(([name, segment]) => [name, decodeURIComponent(segment)]),
		),
		query,
		form: type === 'application/x-www-form-urlencoded' && method === 'POST' ? bodyText : '',
		json: type === 'application/json' ? bodyText : '',
	};
}

export function buildApplication(parts: ServerParts): Express {
	const { context, requests, faults, violations } = parts;
	const { settings, database, clock } = context;
	const endpoints = endpointsFor(settings.routes);

	/** Finds a request's endpoint. Responds and returns undefined if there is none. */
	function route({ method }: Request, path: string, response: Response): Endpoint | undefined {
		if (settings.hasMetadata && path === '/types/typescript') {
			response.type('text/plain').end(typescriptPage(endpoints, settings));
			return undefined;
		}
		const atPath = endpointsAt(path, endpoints);
		const match = atPath.find((endpoint) => endpoint.method === method);
		if (match) return match;
		if (atPath.length === 0) response.status(404).end();
		else {
			const verb = method[0] + method.slice(1).toLowerCase();
			const type = atPath[0]!.requestType;
			const message = `Could not find method named ${verb}(${type}) or Any(${type}) on Service ${type}Service`;
			const error = new ServiceError(405, message, [], 'NotImplementedException');
			response.status(405).json(errorBody(error));
		}
		return undefined;
	}

	/** Handles a request after these checks, in this order: headers and signature, account and permission, values. */
	async function handle(exchange: Exchange): Promise<HandlerResponse> {
		const { request, entry, endpoint } = exchange;
		const { name, requestType } = endpoint;
		const isKeyExchange = name === 'authentication.exchangeKey';
		const user = authenticate(request, context, isKeyExchange, entry.path);
		if (user) authorize(user, request.method, name);
		const fields = requestFields(endpoint, settings);
		const bound = bind(fields, readSources(exchange), requestType);
		const missing = endpoint.mark === 'assumed' ? settings.missing : 'refused';
		const isIgnored = missing === 'ignored' && fields.some((field) => !(field.name in bound));
		const values = missing === 'zero' ? addZeros(fields, bound) : bound;
		if (!isIgnored && missing !== 'zero') checkValues(fields, values);
		entry.isAccepted = true;
		const call: Call = {
			context,
			database,
			appKey: String(request.headers['x-mss-api-appid']),
			accountId: Number(user?.account_id ?? 0),
			userId: Number(user?.id ?? 0),
			values,
			now: clock.iso(),
		};
		if (name === 'aiContent.upload') {
			// Check before the body is read, because reading it can take a long time.
			findDraft(call);
			call.upload = await receiveUpload(request, values, settings.uploadLimits);
			call.now = clock.iso();
		}
		const handler = isIgnored ? respondWithDetail : handlers[name]!;
		return database.transaction(() => handler(call));
	}

	/** Shortens the response to a write request as `changeResponses` requires. Returns any other response unchanged. */
	function shorten({ method, name }: Endpoint, response: Json | undefined): Json | undefined {
		const { changeResponses } = settings;
		const isChange = method !== 'GET' && name !== 'webhookSubscription.create';
		if (!isChange || changeResponses === 'record' || response === undefined) return response;
		return changeResponses === 'onlyId' && response.id !== undefined
			? { id: response.id }
			: undefined;
	}

	function sendError(error: unknown, { entry, response, endpoint }: Exchange): void {
		if (response.headersSent || response.destroyed) {
			response.socket?.destroy();
			return;
		}
		if (error instanceof ServiceError) {
			response.status(error.status);
			response.json(error === wrongSignature ? error.message : errorBody(error));
			return;
		}
		const { message, stack } = error as Error;
		if (error instanceof ContractViolation) {
			violations.push(`${endpoint.id}: ${message}`);
			settings.log(`CONTRACT VIOLATION of the simulator: ${endpoint.id}: ${message}`);
		}
		settings.log(`${entry.method} ${entry.path}: ${stack}`);
		response.status(500).json(errorBody(new ServiceError(500, message)));
	}

	async function serve(request: Request, response: Response): Promise<void> {
		const entry = record(requests, request, response, clock.now());
		// Don't log the query, because the query of a login contains the password.
		response.once('finish', () =>
			settings.log(`${response.statusCode} ${entry.method} ${entry.path}`),
		);
		response.set({ ...FRAMEWORK_HEADERS, Date: new Date(clock.now()).toUTCString() });
		const endpoint = route(request, entry.path, response);
		if (endpoint === undefined) return;
		entry.operationId = endpoint.id;
		const fault = faults.take(endpoint.name);
		if (settings.latencyMs > 0) await sleep(settings.latencyMs);
		await faults.pass(endpoint.name, 'before');
		if (fault?.expireKeys) database.delete('user_keys');
		if (fault && comesBefore(fault)) {
			await sendFault(fault, response, undefined);
			return;
		}
		const exchange = { request, response, entry, endpoint };
		try {
			if (parseMediaType(request) !== 'multipart/form-data') {
				entry.bodyText = Buffer.concat(await request.toArray()).toString();
			}
			const { body, headers = {} } = await handle(exchange);
			await faults.pass(endpoint.name, 'after');
			const rendered = shorten(
				endpoint,
				endpoint.response && render(endpoint.response, body, settings.optionalFields),
			);
			if (fault && !fault.expireKeys) await sendFault(fault, response, rendered);
			else if (rendered === undefined) response.status(204).end();
			else response.set(headers).json(rendered);
		} catch (error) {
			sendError(error, exchange);
		}
	}

	const application = express();
	application.disable('x-powered-by').disable('etag');
	application.get('/', (_request, response) => response.redirect('/client'));
	application.use('/client', clientPages(context));
	application.use(serve);
	return application;
}
