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

const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

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
 * Other ways: other formats and lists, then names that errors ask for, then those beside the check.
 * Some come twice.
 *
 * @param wanted what errors ask for; grows while the ways are tried
 */
export function* otherVariants(
	{ method, format }: Endpoint,
	fields: Fields,
	base: Variant,
	wanted: ReadonlySet<string>,
	otherNames: Variant['names'] = {},
): Generator<Variant> {
	const hasList = Object.values(fields).some((one) => Array.isArray(one) && !isEntryList(one));
	const lists: Lists[] = hasList ? ['repeated', 'commas', 'brackets'] : ['repeated'];
	const formats: Format[] = format === 'none' ? ['none'] : ['form', 'json'];
	if (format === 'none' && method === 'DELETE') formats.push('form', 'json');
	const forms = formats.flatMap((one) => lists.map((list) => ({ format: one, lists: list })));
	const inAllForms = (names: Variant['names']) =>
		forms.map((form) => ({ ...base, ...form, names }));

	yield* inAllForms({});
	for (let asked = -1; asked < wanted.size;) {
		asked = wanted.size;
		for (const names of renamings([...wanted], fieldPaths(fields))) yield* inAllForms(names);
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

const MOST_RENAMINGS = 12;

/** How fields could get the wanted names, on the same level; those with words in common first. */
function renamings(wanted: readonly string[], fields: readonly string[]): Variant['names'][] {
	const isInner = (path: string) => path.includes('.');
	const assign = (names: string[], free: readonly string[]): Record<string, string[]>[] => {
		const [name, ...rest] = names;
		if (name === undefined) return [{}];
		const same = free.filter((own) => isInner(own) === isInner(name));
		// More names than fields: some are not for what we send.
		if (same.length === 0) return assign(rest, free);
		return same.flatMap((own) =>
			assign(
				rest,
				free.filter((one) => one !== own),
			).map((others) => ({ [own]: [lastPart(name)], ...others })),
		);
	};
	const score = (names: Record<string, string[]>) =>
		Object.entries(names).reduce(
			(sum, [own, [theirs]]) => sum + likeness(lastPart(own), theirs!),
			0,
		);
	// More at once are too many combinations; the rest follows in the next round.
	return assign([...wanted].slice(0, 4), fields)
		.sort((one, other) => score(other) - score(one))
		.slice(0, MOST_RENAMINGS);
}

/** How many words two names share. */
function likeness(one: string, other: string): number {
	const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
	const words = wordsOf(one).map((word) => word.toLowerCase());
	return wordsOf(other).filter((word) => words.includes(word.toLowerCase())).length;
}
