/** Tries the endpoints and looks for a variant that takes effect where the package's own does not. */
import { isDeepStrictEqual } from 'node:util';
import { compareRecords, isSame, valueAt } from './compare.mts';
import type { Json } from '../simulator/json.mts';
import { camelCase, operations, operationWith, type Operation } from '../simulator/openapi.mts';
import { isFinal, reasonFor, type Report } from './report.mts';
import {
	correctionOf,
	fieldPaths,
	inAllForms,
	NotTried,
	otherPaths,
	ownVariant,
	renamings,
	requestOf,
	wantedNames,
	withOwnNames,
	type Fields,
	type File,
	type Names,
	type Variant,
} from './request.mts';
import { Ended, Session, type Answer, type SessionOptions } from './session.mts';

/** A check of one endpoint: the table of them is in `checks/`. Each function may throw `NotTried`. */
export interface Check {
	/** The `operationId` of the endpoint in the contract. */
	operation: string;
	/** What is sent: the query of a GET, the body of any other. A number that no other attempt has makes values new. */
	fields?: (probe: Probe, attempt: number) => Fields;
	/** A file to send with the fields, as multipart. */
	file?: File;
	/** Before each attempt: makes what the request works on. */
	prepare?: (probe: Probe) => Promise<void>;
	/** Reads back what the accepted request changed. Without it, success is enough, as for a plain read. */
	readBack?: (probe: Probe, answer: Answer, sent: Fields) => Promise<Json>;
	/** Where sent fields are in what is read back, if not under their names: `customer.id`. */
	places?: Record<string, string>;
	/** Sent fields that prove nothing, as a service may not return them as they were sent. */
	unproven?: readonly string[];
	/** In place of `readBack`, where it takes more. */
	tookEffect?: (probe: Probe, sent: Fields, answer: Answer) => Promise<Effect>;
	/** After an attempt that took effect, or the last one without: keeps what later checks need. */
	after?: (probe: Probe, answer: Answer) => Promise<void>;
	/** IDs in place of those of the probe, for a read. */
	ids?: (probe: Probe) => Record<string, number>;
	/** Names that the service may have instead, for requests whose body is not documented. */
	otherNames?: Names;
	/** Only with `--ai`. */
	needsAi?: boolean;
}

/** Text says why it cannot be seen; a list names what was not read back of something that was made. */
type Effect = boolean | string | string[];

interface Attempt {
	variant: Variant;
	answer: Answer;
	sent: Fields;
	effect: Effect;
	/** What was sent and is not in what is read back, with its place there: `Notes (notes)`. */
	missing: string[];
}

export interface ProbeOptions extends SessionOptions {
	/** Uploads a text, has an outline generated and the proposal built. */
	ai?: boolean;
	/** Has somebody add an item to the proposal of this name, which the second function looks for. */
	waitForItem?: (proposal: string, isThere: () => Promise<boolean>) => Promise<void>;
	/** Called when the checks of a resource begin. */
	onStep?: (what: string, requests: number) => void;
}

export class Probe {
	readonly options: ProbeOptions;
	readonly session: Session;
	readonly startedAt = new Date().toISOString();
	/** In everything that is made: `n8n probe 2026-11-22 16:30:12`. */
	readonly name = `n8n probe ${this.startedAt.slice(0, 19).replace('T', ' ')}`;
	readonly endpoints: Report['endpoints'] = operations.map(({ id, method, path }) => ({
		...{ operation: id, method, path },
		verdict: 'not tried',
	}));
	readonly records: Report['records'] = {};
	description: Report['description'];
	/** IDs of what the probe made or may use, by the name of the path parameter: only these are changed. */
	readonly own: Record<string, number> = {};
	/** IDs of records of the account: these are only read. */
	readonly found: Record<string, number> = {};
	/** What errors say, by the operation: it may hold values of the account. */
	readonly words: Record<string, string> = {};
	/** What checks keep for later ones. */
	readonly kept: Json = {};
	/** The variant that took effect, by operation. */
	private readonly variants = new Map<string, Variant>();
	private attempts = 0;

	constructor(options: ProbeOptions) {
		this.options = options;
		this.session = new Session(options);
	}

	reportOf(operation: string): Report['endpoints'][number] {
		return this.endpoints.find((one) => one.operation === operation)!;
	}

	/** Whether it took effect, in whatever way. */
	isUsable(operation: string): boolean {
		return ['confirmed', 'differs'].includes(this.reportOf(operation).verdict);
	}

	isOfThisRun(name: unknown): boolean {
		return String(name).startsWith(this.name);
	}

	/** Sends an operation in the variant that took effect. */
	async send(
		operation: string,
		fields: Fields = {},
		ids: Record<string, number> = {},
		file?: File,
	): Promise<Answer> {
		const endpoint = operationWith(operation);
		const variant = this.variants.get(operation) ?? ownVariant(endpoint);
		const all = { ...this.idsFor(endpoint), ...ids };
		return await this.session.send(await requestOf(endpoint, variant, all, fields, file));
	}

	/** @throws NotTried when it is refused */
	async read(operation: string, fields?: Fields, ids?: Record<string, number>): Promise<Json> {
		const answer = await this.send(operation, fields, ids);
		if (!answer.isSuccess) {
			throw new NotTried(`It needs ${operation}, which failed with status ${answer.status}.`);
		}
		return answer.data;
	}

	/**
	 * Tries an endpoint, and reports it.
	 *
	 * @throws Ended when the service cannot be asked any further
	 */
	async try(check: Check): Promise<void> {
		const { readOnly, ai } = this.options;
		const endpoint = operationWith(check.operation);
		const report = this.reportOf(check.operation);
		try {
			if (check.needsAi && !ai) throw new NotTried('It needs what the probe makes only with --ai.');
			if (readOnly && endpoint.method !== 'GET')
				throw new NotTried('It changes something, which --read-only does not allow.');
			const tried: Variant[] = [];
			const best = await this.search(check, endpoint, tried);
			this.judge(endpoint, best, tried);
			await check.after?.(this, best.answer);
		} catch (error) {
			if (error instanceof Ended) throw error;
			// What was found already stays; the message of another error could hold a value.
			if (report.verdict !== 'not tried') return;
			report.note =
				error instanceof NotTried
					? error.message
					: `The response was not understood (${(error as Error).name}).`;
		}
	}

	/** A change is made only in what the probe made. */
	private idsFor({ method }: Operation, check?: Check): Record<string, number> {
		return method === 'GET' ? { ...this.found, ...this.own, ...check?.ids?.(this) } : this.own;
	}

	private async attempt(check: Check, endpoint: Operation, variant: Variant): Promise<Attempt> {
		await check.prepare?.(this);
		const sent = check.fields?.(this, ++this.attempts) ?? {};
		const ids = this.idsFor(endpoint, check);
		const request = await requestOf(endpoint, variant, ids, sent, check.file);
		let answer = await this.session.send(request);
		// A failure for the moment says nothing about the request.
		if (answer.status >= 500) answer = await this.session.send(request);
		const attempt = { variant, answer, sent, missing: [] };
		const isRefused = answer.status >= 400 && answer.status < 500;
		if (/^(proposal|contact)\.create$/.test(endpoint.id) && !isRefused)
			this.kept.mayHaveMade = true;
		if (answer.words !== '') this.words[check.operation] ??= answer.words;
		if (!answer.isSuccess) return { ...attempt, effect: false };
		const { tookEffect, readBack, places = {}, unproven = [] } = check;
		if (tookEffect) {
			const effect = await tookEffect(this, sent, answer);
			return { ...attempt, effect, missing: Array.isArray(effect) ? effect : [] };
		}
		if (!readBack) return { ...attempt, effect: true };
		const read = await readBack(this, answer, sent);
		if (read === undefined) return { ...attempt, effect: false };
		const missing = Object.keys(sent)
			.filter((field) => !unproven.includes(field))
			.map((field) => ({ field, place: places[field] ?? camelCase(field) }))
			.filter(({ field, place }) => !isSame(sent[field], valueAt(read, place)))
			.map(({ field, place }) => `${field} (${place})`);
		return { ...attempt, effect: missing.length === 0, missing };
	}

	/**
	 * The attempt that took effect, with exactly what it takes; else the first one.
	 *
	 * @param tried gets every variant that is tried
	 */
	private async search(check: Check, endpoint: Operation, tried: Variant[]): Promise<Attempt> {
		const wanted = new Set<string>();
		let partial: Attempt | undefined;
		const attempt = async (variant: Variant): Promise<Attempt> => {
			tried.push(variant);
			const made = await this.attempt(check, endpoint, variant);
			const names = [...fieldPaths(made.sent), ...Object.values(variant.names).flat()];
			for (const name of wantedNames(made.answer.errorFields, names)) wanted.add(name);
			if (Array.isArray(made.effect)) partial ??= made;
			return made;
		};
		const firstWithEffect = async (variants: Variant[]): Promise<Attempt | undefined> => {
			for (const variant of variants) {
				if (tried.some((one) => isDeepStrictEqual(one, variant))) continue;
				const made = await attempt(variant);
				if (made.effect !== false && !Array.isArray(made.effect)) return made;
			}
			return undefined;
		};

		let first = await attempt(ownVariant(endpoint));
		if (first.answer.isMissingRoute) {
			for (const path of otherPaths(endpoint, this.idsFor(endpoint))) {
				first = await attempt({ ...first.variant, path });
				if (!first.answer.isMissingRoute) break;
			}
		}
		const { variant, answer, sent, effect } = first;
		if (answer.status === 401 && endpoint.method === 'DELETE') {
			// Which content type is signed of a DELETE is not documented.
			const formats = (['none', 'form', 'json'] as const).map((format) => ({ ...variant, format }));
			return (await firstWithEffect(formats)) ?? first;
		}
		const hasEffect = effect !== false && !Array.isArray(effect);
		const isSettled = hasEffect || answer.isMissingRoute || isFinal(answer);
		if (isSettled || check.file !== undefined) return first;

		const withNames = (names: Names) => inAllForms(endpoint, sent, { ...variant, names });
		let found = await firstWithEffect(withNames({}));
		// Another name may bring the error of the next one.
		for (let asked = 0; !found && !partial && asked < wanted.size;) {
			asked = wanted.size;
			found = await firstWithEffect(renamings([...wanted], fieldPaths(sent)).flatMap(withNames));
		}
		// What errors do not ask for is optional, and may have one of the other names.
		const others = withOwnNames(check.otherNames ?? {});
		const [asked = {}] = renamings([...wanted], fieldPaths(sent));
		found ??= await firstWithEffect(withNames({ ...others, ...(partial?.variant.names ?? asked) }));
		found ??= await firstWithEffect(withNames(others));
		// Which of several names counts; none when a field takes none of them alone.
		for (const [field, names] of Object.entries(found?.variant.names ?? {})) {
			if (found === undefined || names.length === 1) continue;
			const { variant: all } = found;
			found = await firstWithEffect(
				names.map((name) => ({ ...all, names: { ...all.names, [field]: [name] } })),
			);
		}
		return found ?? partial ?? first;
	}

	private judge(endpoint: Operation, best: Attempt, tried: Variant[]): void {
		const { variant, answer, effect, missing } = best;
		const report = this.reportOf(endpoint.id);
		if (answer.isSuccess) compareRecords(endpoint, answer.data, this.records);
		if (typeof effect === 'string') {
			report.note = effect;
			return;
		}
		const isPartial = Array.isArray(effect);
		if (effect !== false) {
			const correction = correctionOf(endpoint, variant);
			report.verdict = correction === undefined && !isPartial ? 'confirmed' : 'differs';
			this.variants.set(report.operation, variant);
			if (correction !== undefined) report.correction = correction;
		} else {
			// What is not signed as the service wants it deviates.
			report.verdict = isFinal(answer) && answer.status !== 401 ? 'not tried' : 'no effect';
		}
		if (effect === false || isPartial) report.note = reasonFor(answer, missing, tried);
	}
}
