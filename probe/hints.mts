/** What was learned about the service before an endpoint is tried. */
import type { Endpoint } from './contract.mts';
import type { Described } from './discovery/described.mts';
import type { Field } from './fields.mts';
import type { Correction } from './model.mts';

/** A path without regard to case and to the names of its parameters. */
export const routeOf = (path: string) =>
	path
		.toLowerCase()
		.replace(/\{[^}]*\}/g, '{}')
		.replace(/\/+$/, '');

/** Hints from the service's own description, from its validation, and from other endpoints. */
export class Hints {
	/** The endpoints that the service describes. */
	described: readonly Described[] = [];
	/** By operation: the fields that the validation asks for. */
	readonly validation = new Map<string, Field[]>();
	/** The corrections that took effect, the latest last. */
	readonly corrections: Correction[] = [];

	/** What the service says about an endpoint; undefined when it does not describe it. */
	describedAs({ method }: Endpoint, path: string): Described | undefined {
		return this.described.find(
			(one) => one.methods.includes(method) && routeOf(one.path) === routeOf(path),
		);
	}

	/** Adds what the validation asks for, each field once. */
	addWanted(operation: string, fields: readonly Field[]): void {
		const known = this.validation.get(operation) ?? [];
		const isNew = ({ path }: Field) =>
			!known.some((one) => one.path.toLowerCase() === path.toLowerCase());
		this.validation.set(operation, [...known, ...fields.filter(isNew)]);
	}

	/** The service's names that were found for other endpoints, by ours. */
	get learnedNames(): Record<string, string> {
		return Object.assign({}, ...this.corrections.map(({ names }) => names));
	}

	/** The service's values of enumerations that were found for other endpoints. */
	get learnedValues(): NonNullable<Correction['values']> {
		const all: NonNullable<Correction['values']> = {};
		for (const { values = {} } of this.corrections) {
			for (const [field, one] of Object.entries(values)) all[field] = { ...all[field], ...one };
		}
		return all;
	}
}
