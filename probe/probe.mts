/** Tries endpoints, remembers how each is to be sent, and collects what is reported. */
import { isSuccess, type Attempt } from './attempt.mts';
import { endpointOf, endpoints, type Endpoint } from './contract.mts';
import { discover } from './discovery/discover.mts';
import { Hints } from './hints.mts';
import { ONLY_READS } from './leftOut.mts';
import type { Answer, EndpointReport } from './model.mts';
import { describeAttempt } from './outcome.mts';
import { learn, Search } from './search.mts';
import type { Service } from './service.mts';
import type { Ids, Query, Trial, Values } from './trial.mts';
import { wantedFields } from './validation.mts';
import { ownWay, requestOf, type Way } from './way.mts';

/** What the probe may do. */
export interface ProbeOptions {
	/** Only what changes nothing. */
	readOnly?: boolean;
	/** Whether AI content is uploaded, and built. */
	ai?: boolean;
	/** What may be shown of a message of the service; without it, none is. */
	words?: (message: string, names: string[]) => string;
}

/** What a trial needs could not be made; the message says what, without any value. */
export class Unprepared extends Error {}

/** Without anything in its body, this one acts on every item of the proposal. */
const VALID_WHEN_EMPTY = ['item.refreshCosts'];

/** What a probe of one service does and learns. */
export class Probe {
	readonly service: Service;
	readonly options: ProbeOptions;
	readonly hints = new Hints();
	/** By operation; each endpoint of the contract begins as 'not tried'. */
	readonly endpoints: Map<string, EndpointReport>;
	readonly facts: Record<string, unknown> = {};
	readonly left: string[] = [];
	/** How operations were sent when they took effect. */
	private readonly ways = new Map<string, Way>();
	/** Operations that an empty request was sent to. */
	private readonly asked = new Set<string>();
	private attempts = 0;

	constructor(service: Service, options: ProbeOptions = {}) {
		this.service = service;
		this.options = options;
		this.endpoints = new Map(
			endpoints.map(({ method, path, operation }) => [
				operation,
				{ method, path, operation, verdict: 'not tried' },
			]),
		);
	}

	/** Asks the framework of the service for its own description. */
	async discover(): Promise<void> {
		const { described, fact } = await discover(this.service);
		this.hints.described = described;
		this.facts.discovery = fact;
	}

	/**
	 * Sends an empty request, so that the validation names the fields that it wants. Once for each
	 * operation, only within a proposal, and not where an empty request is valid: a service without
	 * validation may act on it.
	 */
	async askValidation(operation: string, ids: Ids, given?: Way): Promise<void> {
		const endpoint = endpointOf(operation);
		const takesFields = endpoint.method !== 'GET' && Object.keys(endpoint.fields).length > 0;
		const isHarmless =
			endpoint.path.startsWith('/public/proposals/{ProposalId}/') &&
			!VALID_WHEN_EMPTY.includes(operation);
		if (!takesFields || !isHarmless || this.mayNotWrite(endpoint)) return;
		if (this.asked.has(operation)) return;
		this.asked.add(operation);
		const way = given ?? ownWay(endpoint);
		const answer = await this.service.send(requestOf(endpoint, way, { ids }));
		this.hints.addWanted(operation, wantedFields(answer));
	}

	/**
	 * Tries an endpoint and reports it.
	 *
	 * @returns the answer that took effect; undefined when none did
	 */
	async try(trial: Trial): Promise<Answer | undefined> {
		const endpoint = endpointOf(trial.operation);
		if (this.mayNotWrite(endpoint)) {
			this.skip([trial.operation], ONLY_READS);
			return undefined;
		}
		try {
			return await this.tryEndpoint(endpoint, trial);
		} catch (error) {
			if (!(error instanceof Unprepared)) throw error;
			this.skip([trial.operation], error.message);
			return undefined;
		}
	}

	/**
	 * Sends an operation in the way that was learned, without reporting it. Where its path is missing
	 * and the other documented one is there, that one is used.
	 */
	async call(operation: string, ids: Ids, values?: Values, query?: Query): Promise<Answer> {
		const used = this.usable(operation);
		const endpoint = endpointOf(used);
		const way = this.ways.get(used) ?? ownWay(endpoint);
		return await this.service.send(requestOf(endpoint, way, { ids, values, query }));
	}

	/** Says why operations could not be tried. What was tried stays as it is. */
	skip(operations: string[], why: string): void {
		for (const operation of operations) {
			const report = this.endpoints.get(endpointOf(operation).operation)!;
			if (report.verdict === 'not tried') report.note = why;
		}
	}

	private mayNotWrite({ method }: Endpoint): boolean {
		return this.options.readOnly === true && method !== 'GET';
	}

	private usable(operation: string): string {
		const isMissing = this.endpoints.get(operation)?.verdict === 'missing';
		const other = operation.endsWith('.alternate')
			? operation.slice(0, -'.alternate'.length)
			: `${operation}.alternate`;
		return isMissing && this.ways.has(other) ? other : operation;
	}

	private async tryEndpoint(endpoint: Endpoint, trial: Trial): Promise<Answer | undefined> {
		const { operation } = endpoint;
		const send = async (way: Way) => await this.attempt(endpoint, trial, way);
		let own = await send(ownWay(endpoint));
		// What fails once may go well when repeated: then nothing else is wanted.
		if (own.answer.status === 0 || own.answer.status >= 500) own = await send(own.way);
		// What is known if the service can no longer be asked during the search.
		this.report(endpoint, own);
		if (own.tookEffect) return own.answer;
		const askValidation = async (way: Way) =>
			await this.askValidation(operation, trial.ids ?? {}, way);
		const context = { endpoint, trial, hints: this.hints, send, askValidation };
		const found = await new Search(context, own).run(own);
		if (found === undefined) return undefined;
		this.report(endpoint, found);
		if (found.tookEffect) learn(this.hints, endpoint, found.way);
		return found.tookEffect ? found.answer : undefined;
	}

	/** One request, and whether it took effect. */
	private async attempt(endpoint: Endpoint, trial: Trial, way: Way): Promise<Attempt> {
		await trial.prepare?.();
		const values = trial.values?.(++this.attempts) ?? {};
		const { ids, query, file } = trial;
		const answer = await this.service.send(requestOf(endpoint, way, { ids, query, values, file }));
		const tookEffect =
			isSuccess(answer) && (await hasEffect(trial, { ...query, ...values }, answer));
		return { way, values, answer, tookEffect };
	}

	private report(endpoint: Endpoint, attempt: Attempt): void {
		const report = this.endpoints.get(endpoint.operation)!;
		const { method, path, operation } = report;
		const outcome = describeAttempt(endpoint, attempt, this.options.words);
		this.endpoints.set(operation, { method, path, operation, ...outcome });
		if (attempt.tookEffect) this.ways.set(operation, attempt.way);
	}
}

/** A read-back that cannot make anything of a response of another shape has seen no effect. */
async function hasEffect(trial: Trial, values: Values, answer: Answer): Promise<boolean> {
	try {
		return (await trial.hasEffect?.(values, answer)) ?? true;
	} catch (error) {
		if (error instanceof TypeError) return false;
		throw error;
	}
}
