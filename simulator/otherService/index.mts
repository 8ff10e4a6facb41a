import type { Request, Response } from 'express';

import type { Operation } from '../contract.mts';
import type { ServiceError } from '../errors.mts';
import type { RecordedRequest } from '../journal.mts';
import type { Json } from '../json.mts';
import { findEditable } from '../proposals.mts';
import { proposalDetail } from '../views/proposal.mts';
import type { Call, World } from '../world.mts';
import { theirAnswer } from './answers.mts';
import { checkService } from './check.mts';
import { serveDiscovery } from './discovery/serve.mts';
import { entryOf } from './fields.mts';
import { ofOperation, ourName } from './names.mts';
import { theirRefusal } from './refusals.mts';
import { translate, type OurRequest } from './request.mts';
import { theirRoutes } from './routes.mts';
import type { OtherService } from './settings.mts';

/** Operations that return subscriptions, which some services return with their secrets. */
const subscriptionReads = new Set(['webhookSubscription.getMany', 'webhookSubscription.update']);

const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * Stands between the callers and the handlers when the service differs from the contract: requests
 * are translated to the contract, responses back.
 */
export class Translation {
	readonly #service: OtherService;
	readonly #world: World;

	constructor(service: OtherService, world: World) {
		checkService(service);
		this.#service = service;
		this.#world = world;
	}

	/** The operations with this service's paths. */
	routes(operations: Operation[]): Operation[] {
		return theirRoutes(operations, this.#service);
	}

	/** Responds to a request for a discovery page; false when it is for something else. */
	discovers(request: Request, response: Response, operations: Operation[]): boolean {
		return serveDiscovery(this.#service, this.#world, request, response, operations);
	}

	/** Turns the request into one of the contract; `error` is thrown once its sender is known. */
	receive(request: Request, entry: RecordedRequest, operation: Operation): OurRequest {
		const ours = translate(this.#service, operation, {
			path: entry.path,
			query: entry.query,
			contentType: request.headers['content-type'],
			bodyText: entry.bodyText,
		});
		request.url = ours.url;
		// the validator takes its route from this one
		request.originalUrl = ours.url;
		if (ours.contentType !== undefined) request.headers['content-type'] = ours.contentType;
		return ours;
	}

	/** Finds the contract's names of the fields of a streamed body. */
	ourNames(operation: Operation): (theirs: string) => string | undefined {
		return (theirs) => ourName(this.#service, operation, theirs);
	}

	/** Sends successes of the operation as this service does, after they passed validation. */
	changeAnswers(response: Response, operation: Operation): void {
		const send = response.json.bind(response);
		response.json = (body) => {
			if (!isSuccess(response.statusCode)) return send(body);
			response.status(this.status(operation) ?? response.statusCode);
			return send(this.#withSecrets(theirAnswer(this.#service, operation, body), operation));
		};
	}

	/** The status of a success where it is another one. */
	status(operation: Operation): number | undefined {
		return ofOperation(this.#service.statuses, operation);
	}

	/** The refusal as this service words it. */
	refusal(operation: Operation, refusal: ServiceError): ServiceError {
		return theirRefusal(this.#service, operation, refusal);
	}

	/**
	 * Whether the service responds to missing and wrong fields as if the request had succeeded. Only
	 * operations whose success says no more than the proposal can do so.
	 */
	ignores(operation: Operation, { status, fields }: ServiceError): boolean {
		if (this.#service.validation !== 'none' || status !== 400 || fields.length === 0) return false;
		const { path, entry } = entryOf(operation);
		const isProposal = entry.responses['200']?.$ref === '#/components/responses/Proposal';
		const isWrite = operation.method !== 'GET' && path.includes('{ProposalId}');
		return isWrite && (isProposal || operation.emptyStatus !== undefined);
	}

	/** The proposal as it is; throws when it does not exist or cannot be edited. */
	unchanged(call: Call): unknown {
		return proposalDetail(call.database, Number(findEditable(call).id));
	}

	#withSecrets(body: Json, { name }: Operation): Json {
		if (!this.#service.secretKeyInLists || !subscriptionReads.has(name)) return body;
		for (const one of [body].flat()) {
			one.secretKey = this.#world.database.get(
				'SELECT secret_key FROM subscriptions WHERE id = ?',
				one.subscriptionId,
			)!.secret_key;
		}
		return body;
	}
}
