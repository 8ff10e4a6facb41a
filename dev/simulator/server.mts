import express, {
	type ErrorRequestHandler,
	type Express,
	type Request,
	type Response,
} from 'express';
import OpenApiValidator from 'express-openapi-validator';

import { receiveUpload } from './ai/receive.mts';
import { withKnownFields } from './assumedNames.mts';
import { authenticate, authorize, wrongSignature } from './authentication.mts';
import { mediaType, parseBody } from './body.mts';
import { contractMiddleware, operationsFor } from './contract.mts';
import { camelCase, matchRoute, type Operation } from './openapi.mts';
import { httpErrorBody, refusalOf } from './errors.mts';
import type { Fault, Faults } from './faults.mts';
import type { Gates } from './gates.mts';
import { findDraft } from './handlers/ai.mts';
import { handlers } from './handlers/index.mts';
import { answerDetail } from './proposals.mts';
import { type RequestLog, type RecordedRequest } from './requestLog.mts';
import type { Json } from './json.mts';
import { customerPages } from './page/customer.mts';
import { sendBroken } from './brokenResponses.mts';
import { reduceResponse } from './reducedResponses.mts';
import type { Call, Identity, Context } from './context.mts';

/** A response that the contract forbids: a defect of the simulator. */
export interface ContractViolation {
	operationId: string;
	status: number;
	message: string;
}

/** The parts of a running server. */
export interface ServerParts {
	context: Context;
	requestLog: RequestLog;
	faults: Faults;
	gates: Gates;
	violations: ContractViolation[];
}

/** What is known about a request, passed from one middleware to the next. */
interface RequestState {
	entry: RecordedRequest;
	operation: Operation;
	identity?: Identity | undefined;
	fault?: Fault | undefined;
	/** Whether its body was JSON where a form is assumed: fields have camelCase names then. */
	isCamelCase?: boolean;
}

const { InternalServerError } = OpenApiValidator.error;

const JSON_TYPE = 'application/json';

/** A JSON body with the field names of the form. */
const pascalCaseKeys = (body: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(body).map(([name, value]) => [
			name.replace(/^./, (first) => first.toUpperCase()),
			value,
		]),
	);

const stateOf = (response: Response): RequestState => response.locals.state;

/** Whether a fault happens in place of the request. */
const comesBefore = ({ when, brokenResponse, expireKeys }: Fault) =>
	when !== 'after' && brokenResponse === undefined && expireKeys !== true;

async function answerFault(fault: Fault, response: Response, body?: unknown): Promise<void> {
	if (fault.disconnect) {
		response.socket?.destroy();
		return;
	}
	if (fault.brokenResponse !== undefined) {
		await sendBroken(fault.brokenResponse, JSON.stringify(body ?? { message: 'Done.' }), response);
		return;
	}
	const status = fault.status ?? 500;
	response.status(status).set(fault.headers ?? {});
	if (typeof fault.body === 'string') {
		response.end(fault.body);
		return;
	}
	if (!response.hasHeader('Content-Type')) response.type('json');
	response.end(JSON.stringify(fault.body ?? httpErrorBody(status, 'Injected by a test.')));
}

/**
 * The service as an Express application. It checks in this order: route, headers and signature,
 * account and permission, contract, handler.
 */
export function buildApplication(parts: ServerParts): Express {
	const { context, requestLog, faults, gates, violations } = parts;
	const { settings, database, clock } = context;
	const routes = operationsFor(settings.routes);
	const contract = contractMiddleware(settings.assumedBodies);
	const application = express();
	application.disable('x-powered-by').disable('etag');
	application.enable('case sensitive routing').enable('strict routing');
	application.set('query parser', 'simple');

	application.use('/customer', customerPages(context));

	application.use(async (request, response, next) => {
		const entry = requestLog.add(request, response, clock.now());
		// Without the query, which has the password in a key exchange.
		response.once('finish', () =>
			settings.log(`${response.statusCode} ${entry.method} ${entry.path}`),
		);
		response.set('Date', new Date(clock.now()).toUTCString());
		const operation = matchRoute(routes, request.method, entry.path);
		if (typeof operation === 'string') {
			response.status(operation === 'no route' ? 404 : 405).type('text/plain');
			response.end(`Handler for Request not found: ${entry.path}\n`);
			return;
		}
		entry.operationId = operation.id;
		const fault = faults.take(operation.name);
		response.locals.state = { entry, operation, fault } satisfies RequestState;
		if (settings.latencyMs > 0) await clock.sleep(settings.latencyMs);
		await gates.pass(operation.name, 'before');
		if (fault?.expireKeys) database.run('DELETE FROM user_keys');
		if (fault && comesBefore(fault)) await answerFault(fault, response);
		else next();
	});

	const isMultipart = (request: Request) =>
		mediaType(request.headers['content-type']) === 'multipart/form-data';
	application.use(
		express.raw({ type: (request) => !isMultipart(request as Request), limit: '2mb' }),
	);
	application.use((request, response, next) => {
		if (Buffer.isBuffer(request.body)) stateOf(response).entry.bodyText = request.body.toString();
		next();
	});

	application.use(...contract.answers);

	application.use((request, response, next) => {
		const { entry, operation } = stateOf(response);
		const isKeyExchange = operation.name === 'authentication.exchangeKey';
		const target = settings.signsQuery ? request.originalUrl : entry.path;
		const identity = authenticate(request, context, isKeyExchange, target);
		if (identity) authorize(identity, request.method, operation.name);
		stateOf(response).identity = identity;
		next();
	});

	application.use((request, response, next) => {
		const { entry, operation } = stateOf(response);
		request.body = parseBody(entry.bodyText, request.headers['content-type'], operation);
		next();
	});

	application.use(...contract.requests);

	application.use((request, response, next) => {
		const state = stateOf(response);
		state.entry.isAccepted = true;
		state.isCamelCase =
			state.operation.hasAssumedBody && mediaType(request.headers['content-type']) === JSON_TYPE;
		if (state.isCamelCase) request.body = pascalCaseKeys(request.body);
		next();
	});

	/** A request as handlers get it. */
	const callOf = (request: Request, identity: Identity | undefined): Call => ({
		context,
		database,
		appKey: String(request.headers['x-mss-api-appid']),
		accountId: Number(identity?.account.id ?? 0),
		userId: Number(identity?.user.id ?? 0),
		// Express clears request.params between middleware; the validator keeps typed ones here.
		path: (request as Json).openapi.pathParams,
		query: request.query,
		body: request.body ?? {},
		now: clock.iso(),
	});

	application.use(async (request, response) => {
		const { operation, identity, fault } = stateOf(response);
		const call = callOf(request, identity);
		if (operation.isStreamed) {
			// Checked before the body is read, which may take long.
			findDraft(call);
			call.body = await receiveUpload(request, call);
			call.now = clock.iso();
		}
		const answer = database.transaction(() => {
			const known = withKnownFields(call, operation, settings.assumedNames);
			return known === undefined ? answerDetail(call) : handlers[operation.name]!(known);
		});
		await gates.pass(operation.name, 'after');
		if (fault && !fault.expireKeys) {
			await answerFault(fault, response, answer.body);
			return;
		}
		response.set(answer.headers ?? {});
		const { optionalFields } = settings;
		if (answer.body === undefined) response.status(204).end();
		else if (optionalFields === 'present') response.json(answer.body);
		// Not through the validator: the contract has no null where a field is only optional.
		else
			response
				.type('json')
				.end(JSON.stringify(reduceResponse(operation, answer.body, optionalFields)));
	});

	const onError: ErrorRequestHandler = (error, _request, response, _next) => {
		const { entry, operation, isCamelCase } = stateOf(response);
		if (response.headersSent || response.destroyed) {
			response.socket?.destroy();
			return;
		}
		const refusal = refusalOf(error);
		if (refusal) {
			const { status, message, fields } = refusal;
			if (message === wrongSignature && settings.signatureError === 'text') {
				// Not through the validator: every other error is an object.
				response.status(status).type('json').end(JSON.stringify(message));
				return;
			}
			const sent = fields.map((field) => ({
				...field,
				fieldName: isCamelCase ? camelCase(field.fieldName) : field.fieldName,
			}));
			response.status(status).json(httpErrorBody(status, message, sent));
			return;
		}
		if (error instanceof InternalServerError) {
			const { statusCode: status } = response;
			const violation = { operationId: operation.id, status, message: error.message };
			violations.push(violation);
			settings.log(`CONTRACT VIOLATION of the simulator: ${JSON.stringify(violation)}`);
		}
		settings.log(`${entry.method} ${entry.path}: ${error.stack}`);
		response.status(500).json(httpErrorBody(500, String(error.message)));
	};
	application.use(onError);
	return application;
}
