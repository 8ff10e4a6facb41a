/** Tries the endpoints and looks for a way that takes effect where the package's own does not. */
import { compareRecords, endpointOf, endpoints, type Endpoint } from './contract.mts';
import type { Answer, EndpointReport, Fields, File, Json } from './model.mts';
import { isFinal, NEEDS_AI, READ_ONLY, reasonForFinal, reasonOf } from './reasons.mts';
import { Ended, type Session } from './session.mts';
import {
	assignments,
	correctionOf,
	fieldPaths,
	formsOf,
	otherPaths,
	ownWay,
	parametersOf,
	requestOf,
	wantedNames,
	type Way,
} from './ways.mts';

/** A check of one endpoint: the table of them is in `checks/`. */
export interface Check {
	/** The `operationId` of the endpoint in the contract. */
	operation: string;
	/** What is sent: the query of a GET, the body of any other. A number that no other attempt has makes values new. */
	fields?: (probe: Probe, attempt: number) => Fields;
	/** A file to send with the fields, as multipart. */
	file?: () => File;
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
	sent: Fields;
	answer: Answer;
	/** Text says why the effect cannot be seen. */
	effect: boolean | string;
}

export interface ProbeOptions {
	readOnly?: boolean;
	ai?: boolean;
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
	readonly records: Record<string, Record<string, string>> = {};
	readonly facts: Record<string, unknown> = {};
	/** IDs of what the probe made or may use, by the name of the path parameter: only these are changed. */
	readonly own: Record<string, number> = {};
	/** IDs of records of the account: these are only read. */
	readonly found: Record<string, number> = {};
	/** What checks keep for later ones. */
	readonly kept: Json = { creationStatus: {} };
	private readonly ways = new Map<string, Way>();
	/** What another endpoint wanted is tried first at the next one. */
	private readonly learned: { form?: Pick<Way, 'format' | 'lists'>; names: Way['names'] } = {
		names: {},
	};
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
		if (!answer.isSuccess) throw new Unprepared(`${operation} could not be read for it.`);
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
			const reason = this.reasonAgainst(check, endpoint);
			if (reason !== undefined) throw new Unprepared(reason);
			const last = await this.search(check, endpoint);
			this.judge(report, endpoint, last);
			await check.after?.(this, last.answer);
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

	private reasonAgainst(check: Check, endpoint: Endpoint): string | undefined {
		const { readOnly, ai } = this.options;
		if (readOnly && endpoint.method !== 'GET') return READ_ONLY;
		if (check.needsAi && !ai) return readOnly ? READ_ONLY : NEEDS_AI;
		const reason = check.obstacle?.(this);
		if (reason !== undefined) return reason;
		const ids = this.idsFor(endpoint);
		// All but the proposal may be made by `prepare`.
		const missing = parametersOf(endpoint.path).find(
			(name) => !(name in ids) && (name === 'ProposalId' || check.prepare === undefined),
		);
		return missing && `There is no ${missing} to try it with.`;
	}

	/** A change is made only in what the probe made. */
	private idsFor({ method }: Endpoint): Record<string, number> {
		return method === 'GET' ? { ...this.found, ...this.own } : this.own;
	}

	private async attempt(check: Check, endpoint: Endpoint, way: Way): Promise<Attempt> {
		await check.prepare?.(this);
		const sent = check.fields?.(this, ++this.attempts) ?? {};
		const others = endpoint.method === 'GET' ? check.ids?.(this) : {};
		const ids = { ...this.idsFor(endpoint), ...others };
		const request = await requestOf(endpoint, way, ids, sent, check.file?.());
		let answer = await this.session.send(request);
		// A failure for the moment says nothing about the request.
		if (answer.status >= 500) answer = await this.session.send(request);
		const effect = answer.isSuccess && ((await check.tookEffect?.(this, sent, answer)) ?? true);
		return { way, sent, answer, effect };
	}

	/** The attempt that took effect, with exactly what it takes; else the first one. */
	private async search(check: Check, endpoint: Endpoint): Promise<Attempt> {
		let first = await this.attempt(check, endpoint, ownWay(endpoint));
		if (first.effect !== false || isFinal(first.answer)) return first;
		if (first.answer.isMissingRoute) {
			for (const path of otherPaths(endpoint, check.otherPaths ?? [], this.idsFor(endpoint))) {
				const moved = await this.attempt(check, endpoint, { ...first.way, path });
				if (moved.effect !== false) return moved;
				if (moved.answer.isMissingRoute) continue;
				first = moved;
				break;
			}
			if (first.answer.isMissingRoute || isFinal(first.answer)) return first;
		}
		if (check.file !== undefined) return first;
		return (await this.searchNames(check, endpoint, first)) ?? first;
	}

	private async searchNames(
		check: Check,
		endpoint: Endpoint,
		first: Attempt,
	): Promise<Attempt | undefined> {
		const fields = fieldPaths(first.sent);
		const tried = new Set([JSON.stringify(first.way)]);
		const wanted = new Set(wantedNames(first.answer.errorFields, fields));
		/** These names in every form. */
		const tryNames = async (names: Way['names']): Promise<Attempt | undefined> => {
			for (const form of formsOf(endpoint, first.sent, this.learned.form ?? first.way)) {
				const way = { ...first.way, ...form, names };
				if (tried.has(JSON.stringify(way))) continue;
				tried.add(JSON.stringify(way));
				const attempt = await this.attempt(check, endpoint, way);
				if (attempt.effect !== false) return attempt;
				const sent = [...fields, ...Object.values(names).flat()];
				for (const name of wantedNames(attempt.answer.errorFields, sent)) wanted.add(name);
			}
			return undefined;
		};
		const known = Object.entries(this.learned.names).filter(([field]) => fields.includes(field));
		let found = (await tryNames({})) ?? (await tryNames(Object.fromEntries(known)));
		for (let asked = -1; found === undefined && asked < wanted.size;) {
			asked = wanted.size;
			for (const names of assignments([...wanted], fields)) {
				found ??= await tryNames(names);
			}
		}
		if (found !== undefined || check.otherNames === undefined) return found;
		const all = Object.entries(check.otherNames).map(([field, others]) => [
			field,
			[field.slice(field.lastIndexOf('.') + 1), ...others],
		]);
		found = await tryNames(Object.fromEntries(all));
		return found && (await this.narrow(check, endpoint, found));
	}

	/** Which of several names of a field counts. */
	private async narrow(
		check: Check,
		endpoint: Endpoint,
		found: Attempt,
	): Promise<Attempt | undefined> {
		let last: Attempt | undefined = found;
		for (const [field, names] of Object.entries(found.way.names)) {
			if (last === undefined) return undefined;
			const { way }: Attempt = last;
			last = undefined;
			for (const name of names) {
				const only = { ...way, names: { ...way.names, [field]: [name] } };
				const attempt = await this.attempt(check, endpoint, only);
				if (attempt.effect === false) continue;
				last = attempt;
				break;
			}
		}
		return last;
	}

	private judge(report: EndpointReport, endpoint: Endpoint, attempt: Attempt): void {
		const { way, answer, effect } = attempt;
		if (answer.isSuccess) compareRecords(endpoint, answer.data, this.records);
		if (typeof effect === 'string') {
			report.note = effect;
		} else if (effect) {
			this.ways.set(report.operation, way);
			const correction = correctionOf(endpoint, way);
			report.verdict = correction === undefined ? 'confirmed' : 'differs';
			if (correction === undefined) return;
			report.correction = correction;
			if (way.format !== 'none') this.learned.form = { format: way.format, lists: way.lists };
			Object.assign(this.learned.names, way.names);
		} else if (isFinal(answer)) {
			report.note = reasonForFinal(answer);
		} else {
			report.verdict = 'no effect';
			report.note = reasonOf(answer);
		}
	}
}
