/** Looks for a way that takes effect where the package's own does not. */
import { isSuccess, type Attempt } from './attempt.mts';
import {
	alternativesOf,
	formsOf,
	oneByOne,
	sideBySide,
	single,
	valuesOf,
	type Form,
} from './candidates.mts';
import type { Endpoint } from './contract.mts';
import { requestFields } from './discovery/fields.mts';
import { assignNames, fieldsOf, type Field } from './fields.mts';
import type { Hints } from './hints.mts';
import { narrow } from './narrowing.mts';
import { alternateOf, otherPaths } from './paths.mts';
import type { Trial } from './trial.mts';
import { wantedFields } from './validation.mts';
import { correctionOf, ownWay, parametersOf, type Way } from './way.mts';

/**
 * Statuses that no other name or format changes: login, subscription, permission, state; and a
 * service in trouble, as an attempt that goes well then would prove nothing.
 */
const FINAL = [401, 402, 403, 409, 0, 502, 503, 504];

/** How many single names are tried for one endpoint: each takes a read-back, too. */
const MOST_SINGLES = 60;

/** How often the validation is followed: it may name what is missing in steps. */
const ROUNDS = 4;

/** What a search needs of the probe. */
export interface SearchContext {
	endpoint: Endpoint;
	trial: Trial;
	hints: Hints;
	send: (way: Way) => Promise<Attempt>;
	/** Sends an empty request, so that the validation says what is missing. */
	askValidation: (way: Way) => Promise<void>;
}

/** The search for one endpoint, beginning with the attempt that had no effect. */
export class Search {
	private readonly context: SearchContext;
	private readonly fields: readonly Field[];
	private readonly tried = new Set<string>();
	private readonly values: readonly Way['values'][];
	private base: Way;
	/** Whether any attempt with all names was accepted: then the service knows none of them. */
	private isLenient = false;

	constructor(context: SearchContext, own: Attempt) {
		this.context = context;
		this.base = own.way;
		const sent = { ...context.trial.query, ...own.values };
		this.fields = fieldsOf(sent);
		this.values = valuesOf(alternativesOf(context.trial, context.hints.learnedValues), sent);
		this.note(own);
	}

	/**
	 * The steps one after the other, until an attempt takes effect.
	 *
	 * @returns that attempt, with exactly what it takes; undefined when nothing was found
	 */
	async run(own: Attempt): Promise<Attempt | undefined> {
		if (FINAL.includes(own.answer.status)) return undefined;
		if (own.answer.isMissingRoute) {
			const moved = await this.tryPaths();
			if (moved === undefined || moved.tookEffect) return moved;
			this.base = moved.way;
		}
		if (this.context.trial.file !== undefined) return undefined;
		const found = (await this.tryForms([{}])) ?? (await this.tryNames());
		return found && (await narrow(found, this.context.send));
	}

	private async tryNames(): Promise<Attempt | undefined> {
		if (this.fields.length === 0) return undefined;
		return (await this.tryHints()) ?? (await this.trySideBySide()) ?? (await this.tryOneByOne());
	}

	private note({ way, answer, tookEffect }: Attempt): void {
		this.tried.add(JSON.stringify(way));
		if (tookEffect) return;
		const wanted = wantedFields(answer, way, this.fields);
		this.context.hints.addWanted(this.context.endpoint.operation, wanted);
	}

	/** Sends what was not sent yet; the attempt if it took effect. */
	private async send(way: Way): Promise<Attempt | undefined> {
		if (this.tried.has(JSON.stringify(way))) return undefined;
		const attempt = await this.context.send(way);
		this.note(attempt);
		return attempt.tookEffect ? attempt : undefined;
	}

	/**
	 * An attempt at the first other path that the service has, whether it took effect or not. A
	 * parameter that this path lacks may be a field now.
	 */
	private async tryPaths(): Promise<Attempt | undefined> {
		const { endpoint, hints, trial, send } = this.context;
		if (await this.isAlternateThere()) return undefined;
		for (const path of otherPaths(endpoint, hints, trial)) {
			const attempt = await send({ ...this.base, path });
			this.note(attempt);
			if (attempt.answer.isMissingRoute) continue;
			const kept = parametersOf(path);
			const ids = parametersOf(endpoint.path).filter((name) => !kept.includes(name));
			if (attempt.tookEffect || ids.length === 0) return attempt;
			const other = await send({ ...attempt.way, ids });
			this.note(other);
			return other;
		}
		return undefined;
	}

	/** Whether the service has the second documented path, which is tried for itself. */
	private async isAlternateThere(): Promise<boolean> {
		const { endpoint, trial, send } = this.context;
		const path = alternateOf(endpoint)?.path;
		const isUsable =
			path !== undefined && parametersOf(path).every((name) => name in (trial.ids ?? {}));
		return isUsable && !(await send({ ...this.base, path })).answer.isMissingRoute;
	}

	/** The form that other endpoints wanted comes first. */
	private get forms(): Form[] {
		const { endpoint, hints } = this.context;
		const latest = hints.corrections.at(-1);
		const own = ownWay(endpoint);
		const first =
			latest === undefined || endpoint.format === 'none'
				? own
				: { format: latest.format, lists: latest.lists ?? 'repeated' };
		return formsOf({ endpoint, fields: this.fields }, first);
	}

	/** Given names in each form and with each value of an enumeration. */
	private async tryForms(candidates: readonly Way['names'][]): Promise<Attempt | undefined> {
		for (const names of candidates) {
			for (const form of this.forms) {
				for (const values of this.values) {
					const found = await this.send({ ...this.base, ...form, values, names });
					if (found !== undefined) return found;
				}
			}
		}
		return undefined;
	}

	private async tryHints(): Promise<Attempt | undefined> {
		const { askValidation } = this.context;
		if (this.wanted.length === 0) await askValidation({ ...this.base, ...this.forms[0]! });
		let known = -1;
		for (let round = 0; round < ROUNDS; round++) {
			if (this.wanted.length === known) return undefined;
			known = this.wanted.length;
			const found = await this.tryForms(this.hintedNames());
			if (found !== undefined) return found;
		}
		return undefined;
	}

	/** Names from the description, from the validation, and from other endpoints. */
	private hintedNames(): Way['names'][] {
		const { endpoint, hints } = this.context;
		const described = hints.describedAs(endpoint, this.base.path);
		const ofDescription =
			described === undefined
				? {}
				: assignNames(endpoint, this.fields, requestFields(described, endpoint.path));
		const ofValidation = assignNames(endpoint, this.fields, this.wanted);
		const learned = Object.fromEntries(
			Object.entries(hints.learnedNames).filter(([field]) =>
				this.fields.some(({ path }) => path === field),
			),
		);
		const all = [ofDescription, ofValidation, { ...learned, ...ofValidation }, learned];
		return all.filter((names) => Object.keys(names).length > 0).map(single);
	}

	private get wanted(): readonly Field[] {
		return this.context.hints.validation.get(this.context.endpoint.operation) ?? [];
	}

	private async trySideBySide(): Promise<Attempt | undefined> {
		const sent = { endpoint: this.context.endpoint, fields: this.fields };
		for (const form of this.forms) {
			for (const names of sideBySide(sent, form.format, this.wanted)) {
				for (const values of this.values) {
					const way = { ...this.base, ...form, values, names };
					const attempt = await this.context.send(way);
					this.note(attempt);
					if (attempt.tookEffect) return attempt;
					this.isLenient ||= isSuccess(attempt.answer);
				}
			}
		}
		return undefined;
	}

	private async tryOneByOne(): Promise<Attempt | undefined> {
		if (this.isLenient) return undefined;
		const sent = { endpoint: this.context.endpoint, fields: this.fields };
		const hasEntries = this.fields.some(({ path }) => path.includes('.'));
		const ofBody = sideBySide(sent, this.forms[0]!.format, this.wanted)[1] ?? {};
		const bases = hasEntries ? [{ ...this.base, names: ofBody }, this.base] : [this.base];
		for (const base of bases) {
			let left = Math.ceil(MOST_SINGLES / bases.length);
			for (const way of oneByOne(sent, base, this.forms, this.values, this.wanted)) {
				if (left-- === 0) break;
				const found = await this.send(way);
				if (found !== undefined) return found;
			}
		}
		return undefined;
	}
}

/** What a way that took effect tells about other endpoints. */
export function learn(hints: Hints, endpoint: Endpoint, way: Way): void {
	const correction = correctionOf(endpoint, way);
	if (correction !== undefined && endpoint.format !== 'none') hints.corrections.push(correction);
}
