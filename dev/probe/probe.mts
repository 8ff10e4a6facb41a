/** Tries the endpoints and looks for a way that takes effect where the package's own does not. */
import { compareRecords, endpointOf, endpoints, type Endpoint, type Json } from './contract.mts';
import {
	isFinal,
	NEEDS_AI,
	READ_ONLY,
	reasonFor,
	type EndpointReport,
	type Report,
} from './report.mts';
import { Ended, type Answer, type Session } from './session.mts';
import {
	correctionOf,
	fieldPaths,
	otherPaths,
	otherWays,
	ownWay,
	parametersOf,
	requestOf,
	wantedNames,
	type Fields,
	type File,
	type Learned,
	type Way,
} from './ways.mts';

/** A check of one endpoint: the table of them is in `checks/`. */
export interface Check {
	/** The `operationId` of the endpoint in the contract. */
	operation: string;
	/** What is sent: the query of a GET, the body of any other. A number that no other attempt has makes values new. */
	fields?: (probe: Probe, attempt: number) => Fields;
	/** A file to send with the fields, as multipart. */
	file?: File;
	/** Why it cannot be tried in this run; else undefined. */
	obstacle?: (probe: Probe) => string | undefined;
	/** Before each attempt: makes what the request works on. */
	prepare?: (probe: Probe) => Promise<void>;
	/**
	 * Reads back whether the accepted request took effect. Text says why that cannot be seen. Without
	 * it, success is enough, as for a plain read.
	 */
	tookEffect?: (probe: Probe, sent: Fields, answer: Answer) => Promise<boolean | string>;
	/** After an attempt that took effect, or the last one without: keeps what later checks need. */
	after?: (probe: Probe, answer: Answer) => Promise<void>;
	/** IDs in place of those of the probe, for a read. */
	ids?: (probe: Probe) => Record<string, number>;
	/** Names that the service may have instead, for requests whose body is not documented. */
	otherNames?: Record<string, readonly string[]>;
	/** Paths that the service may have instead, beside the other documented one. */
	otherPaths?: readonly string[];
	/** Only with `--ai`. */
	needsAi?: boolean;
}

/** What a check works on could not be made or read; the message says what. */
export class Unprepared extends Error {}

interface Attempt {
	way: Way;
	answer: Answer;
	sent: Fields;
	/** Text says why the effect cannot be seen. */
	effect: boolean | string;
}

export interface ProbeOptions {
	readOnly: boolean;
	ai: boolean;
	/** In the name of everything that is made: `n8n probe 2026-11-22 16:30:12`. */
	name: string;
	username: string;
	/** How long AI work may take, in milliseconds. */
	aiLimitMs: number;
	/** Between two looks at AI work, in milliseconds. */
	pauseMs: number;
}

export class Probe {
	readonly session: Session;
	readonly options: ProbeOptions;
	readonly endpoints = new Map<string, EndpointReport>(
		endpoints.map(({ operation, method, path }) => [
			operation,
			{ operation, method, path, verdict: 'not tried' },
		]),
	);
	readonly records: Report['records'] = {};
	readonly facts: Report['facts'] = {};
	/** The status of success where it is not 200. */
	readonly otherStatuses: Record<string, number> = {};
	/** IDs of what the probe made or may use, by the name of the path parameter: only these are changed. */
	readonly own: Record<string, number> = {};
	/** IDs of records of the account: these are only read. */
	readonly found: Record<string, number> = {};
	/** What checks keep for later ones. */
	readonly kept: Json = {};
	/** The way that took effect, by operation. */
	private readonly ways = new Map<string, Way>();
	private learned: Learned | undefined;
	private attempts = 0;

	constructor(session: Session, options: ProbeOptions) {
		this.session = session;
		this.options = options;
	}

	reportOf(operation: string): EndpointReport {
		return this.endpoints.get(operation)!;
	}

	/** Whether it took effect, in whatever way. */
	isUsable(operation: string): boolean {
		return ['confirmed', 'differs'].includes(this.reportOf(operation).verdict);
	}

	/** Sends an operation in the way that took effect. */
	async send(
		operation: string,
		fields: Fields = {},
		ids: Record<string, number> = {},
		file?: File,
	): Promise<Answer> {
		const endpoint = endpointOf(operation);
		const way = this.ways.get(operation) ?? ownWay(endpoint);
		const all = { ...this.idsFor(endpoint), ...ids };
		return await this.session.send(await requestOf(endpoint, way, all, fields, file));
	}

	/** @throws Unprepared when it is refused */
	async read(operation: string, fields?: Fields, ids?: Record<string, number>): Promise<Json> {
		const answer = await this.send(operation, fields, ids);
		if (!answer.isSuccess) {
			throw new Unprepared(`${operation} failed with status ${answer.status}, which it needs.`);
		}
		return answer.data;
	}

	/**
	 * Tries an endpoint, and reports it.
	 *
	 * @throws Ended when the service cannot be asked any further
	 */
	async try(check: Check): Promise<void> {
		const endpoint = endpointOf(check.operation);
		const report = this.reportOf(check.operation);
		try {
			const obstacle = this.obstacleTo(check, endpoint);
			if (obstacle !== undefined) throw new Unprepared(obstacle);
			const best = await this.search(check, endpoint);
			this.judge(report, endpoint, best);
			await check.after?.(this, best.answer);
		} catch (error) {
			if (error instanceof Ended) throw error;
			// What was found already stays; the message of another error could hold a value.
			if (report.verdict !== 'not tried') return;
			report.note =
				error instanceof Unprepared
					? error.message
					: `The response was not understood (${(error as Error).name}).`;
		}
	}

	private obstacleTo(check: Check, endpoint: Endpoint): string | undefined {
		const { readOnly, ai } = this.options;
		if (readOnly && (endpoint.method !== 'GET' || check.needsAi)) return READ_ONLY;
		if (check.needsAi && !ai) return NEEDS_AI;
		const obstacle = check.obstacle?.(this);
		if (obstacle !== undefined) return obstacle;
		const ids = this.idsFor(endpoint, check);
		// All but the proposal may be made by `prepare`.
		const missing = parametersOf(endpoint.path).find(
			(name) => !(name in ids) && (name === 'ProposalId' || check.prepare === undefined),
		);
		return missing && `There is no ${missing} to try it with.`;
	}

	/** A change is made only in what the probe made. */
	private idsFor({ method }: Endpoint, check?: Check): Record<string, number> {
		return method === 'GET' ? { ...this.found, ...this.own, ...check?.ids?.(this) } : this.own;
	}

	private async attempt(check: Check, endpoint: Endpoint, way: Way): Promise<Attempt> {
		await check.prepare?.(this);
		const sent = check.fields?.(this, ++this.attempts) ?? {};
		const ids = this.idsFor(endpoint, check);
		const request = await requestOf(endpoint, way, ids, sent, check.file);
		let answer = await this.session.send(request);
		// A failure for the moment says nothing about the request.
		if (answer.status >= 500) answer = await this.session.send(request);
		const effect = answer.isSuccess && ((await check.tookEffect?.(this, sent, answer)) ?? true);
		return { way, answer, sent, effect };
	}

	/** The attempt that took effect, with exactly what it takes; else the first one. */
	private async search(check: Check, endpoint: Endpoint): Promise<Attempt> {
		let first = await this.attempt(check, endpoint, ownWay(endpoint));
		if (first.answer.isMissingRoute) {
			for (const path of otherPaths(endpoint, check.otherPaths ?? [], this.idsFor(endpoint))) {
				first = await this.attempt(check, endpoint, { ...first.way, path });
				if (!first.answer.isMissingRoute) break;
			}
		}
		const { way, answer, sent, effect } = first;
		const isSettled = effect !== false || answer.isMissingRoute || isFinal(answer);
		if (isSettled || check.file !== undefined) return first;

		const tried = new Set([JSON.stringify(way)]);
		const ours = fieldPaths(sent);
		const wanted = new Set(wantedNames(answer.errorFields, ours));
		for (const other of otherWays(endpoint, sent, way, this.learned, wanted, check.otherNames)) {
			const key = JSON.stringify(other);
			if (tried.has(key)) continue;
			tried.add(key);
			const attempt = await this.attempt(check, endpoint, other);
			if (attempt.effect !== false) return (await this.narrow(check, endpoint, attempt)) ?? first;
			const names = [...ours, ...Object.values(other.names).flat()];
			for (const name of wantedNames(attempt.answer.errorFields, names)) wanted.add(name);
		}
		return first;
	}

	/** Which of several names of a field counts; undefined when none does alone. */
	private async narrow(
		check: Check,
		endpoint: Endpoint,
		found: Attempt,
	): Promise<Attempt | undefined> {
		const field = Object.keys(found.way.names).find((one) => found.way.names[one]!.length > 1);
		if (field === undefined) return found;
		for (const name of found.way.names[field]!) {
			const way = { ...found.way, names: { ...found.way.names, [field]: [name] } };
			const attempt = await this.attempt(check, endpoint, way);
			if (attempt.effect !== false) return await this.narrow(check, endpoint, attempt);
		}
		return undefined;
	}

	private judge(report: EndpointReport, endpoint: Endpoint, { way, answer, effect }: Attempt) {
		if (answer.isSuccess) {
			compareRecords(endpoint, answer.data, this.records);
			// Documents contradict each other about that of a creation.
			if (answer.status !== 200) this.otherStatuses[report.operation] = answer.status;
		}
		if (typeof effect === 'string') {
			report.note = effect;
		} else if (effect) {
			const correction = correctionOf(endpoint, way);
			report.verdict = correction === undefined ? 'confirmed' : 'differs';
			this.ways.set(report.operation, way);
			if (correction === undefined) return;
			report.correction = correction;
			const { format, lists } = way.format === 'none' ? (this.learned ?? way) : way;
			this.learned = { format, lists, names: { ...this.learned?.names, ...way.names } };
		} else {
			report.verdict = isFinal(answer) ? 'not tried' : 'no effect';
			report.note = reasonFor(answer);
		}
	}
}
