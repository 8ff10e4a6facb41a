/** The variants of a request: that of this package, then others with another path, format, names or lists. */
import { endpoints, type Endpoint } from './contract.mts';
import {
	isEntryList,
	parametersOf,
	type Fields,
	type Format,
	type Lists,
	type Variant,
} from './request.mts';

/** What to send in place of what this package sends, with one name for a field. */
export type Correction = Partial<Omit<Variant, 'names'>> & { names?: Record<string, string> };

/** As this package sends it. */
export const ownVariant = ({ path, format }: Endpoint): Variant => ({
	path,
	format: format === 'multipart' ? 'none' : format,
	lists: 'repeated',
	names: {},
});

/** `itemId` of `Items[].itemId`. */
export const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

/** What a variant does differently from this package; undefined when nothing. */
export function correctionOf(endpoint: Endpoint, variant: Variant): Correction | undefined {
	const own = ownVariant(endpoint);
	const names = Object.entries(variant.names).flatMap(([field, [theirs = '']]) =>
		theirs.toLowerCase() === lastPart(field).toLowerCase() ? [] : [[field, theirs]],
	);
	const correction: Correction = {
		...(variant.format !== own.format && { format: variant.format }),
		...(names.length > 0 && { names: Object.fromEntries(names) }),
		...(variant.lists !== own.lists && { lists: variant.lists }),
		...(variant.path !== own.path && { path: variant.path }),
	};
	return Object.keys(correction).length === 0 ? undefined : correction;
}

/** The other documented path, then those beside the check, as far as their IDs are known. */
export function otherPaths(
	{ operation }: Endpoint,
	listed: readonly string[],
	ids: Record<string, number>,
): string[] {
	const twin = operation.replace(/\.alternate$|$/, (end) => (end === '' ? '.alternate' : ''));
	const documented = endpoints.filter((one) => one.operation === twin).map(({ path }) => path);
	return [...documented, ...listed].filter((path) =>
		parametersOf(path).every((name) => name in ids),
	);
}

/** Every field by its path: `Items`, `Items[].itemId`. */
export const fieldPaths = (fields: Fields, parent = ''): string[] =>
	Object.entries(fields).flatMap(([name, value]) => [
		parent + name,
		...(isEntryList(value) ? fieldPaths(value[0]!, `${parent}${name}[].`) : []),
	]);

/**
 * Other variants: other formats and lists, then names that errors ask for, then those beside the
 * check. Some come twice.
 *
 * @param wanted what errors ask for; grows while the variants are tried
 */
export function* otherVariants(
	{ format }: Endpoint,
	fields: Fields,
	base: Variant,
	wanted: ReadonlySet<string>,
	otherNames: Variant['names'] = {},
): Generator<Variant> {
	const hasList = Object.values(fields).some((one) => Array.isArray(one) && !isEntryList(one));
	const lists: Lists[] = hasList ? ['repeated', 'commas', 'brackets'] : ['repeated'];
	const formats: Format[] = format === 'none' ? ['none'] : ['form', 'json'];
	const forms = formats.flatMap((one) => lists.map((list) => ({ format: one, lists: list })));
	const inAllForms = (names: Variant['names']) =>
		forms.map((form) => ({ ...base, ...form, names }));

	yield* inAllForms({});
	for (let asked = -1; asked < wanted.size;) {
		asked = wanted.size;
		let left = MOST_RENAMINGS;
		for (const names of renamings([...wanted], fieldPaths(fields))) {
			if (left-- === 0) break;
			yield* inAllForms(names);
		}
	}
	// Together with our own name, as the service ignores those that it does not know.
	const listed = Object.entries(otherNames).map(([field, names]) => [
		field,
		[lastPart(field), ...names],
	]);
	yield* inAllForms(Object.fromEntries(listed));
}

/** The names that errors ask for and that were not sent, as paths: `Items[].itemId`. */
export function wantedNames(errorFields: readonly string[], sent: readonly string[]): string[] {
	const known = sent.map((one) => lastPart(one).toLowerCase());
	return errorFields
		.map((one) => one.replace(/\[\d*\]/g, '[]').replace(/^(?:body|request|dto)\./i, ''))
		.filter((path) => /^\w+(\[\]\.\w+)?$/.test(path))
		.filter((path) => !known.includes(lastPart(path).toLowerCase()));
}

const MOST_RENAMINGS = 24;

/** How fields could get the wanted names, on the same level; those with words in common first. */
function* renamings(
	[wanted, ...others]: readonly string[],
	fields: readonly string[],
): Generator<Variant['names']> {
	if (wanted === undefined) {
		yield {};
		return;
	}
	const candidates = fields
		.filter((field) => field.includes('.') === wanted.includes('.'))
		.sort((one, other) => likeness(other, wanted) - likeness(one, wanted));
	// More names than fields: this one is not for what we send.
	if (candidates.length === 0) yield* renamings(others, fields);
	for (const field of candidates) {
		const rest = fields.filter((one) => one !== field);
		for (const names of renamings(others, rest)) yield { [field]: [lastPart(wanted)], ...names };
	}
}

/** How many words two names share. */
function likeness(one: string, other: string): number {
	const wordsOf = (path: string) => lastPart(path).match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
	const words = wordsOf(one).map((word) => word.toLowerCase());
	return wordsOf(other).filter((word) => words.includes(word.toLowerCase())).length;
}
