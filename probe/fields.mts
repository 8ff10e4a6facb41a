/** The fields of a body by path and type, and whose names they are at the service. */
import type { Endpoint } from './contract.mts';
import { similarity } from './names.mts';
import type { Values } from './trial.mts';
import { lastPart, spell } from './way.mts';

export type FieldType = 'string' | 'number' | 'boolean' | 'list' | 'object' | 'unknown';

/** A field; one of list entries has the path `Items[].itemId`. */
export interface Field {
	path: string;
	type: FieldType;
}

const typeOf = (value: unknown): FieldType => {
	if (Array.isArray(value)) return 'list';
	const type = typeof value;
	return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
};

/** The fields of a body, those of its list entries included. */
export function fieldsOf(values: Values, parent = ''): Field[] {
	return Object.entries(values).flatMap(([name, value]) => {
		const path = parent + name;
		const [first] = Array.isArray(value) ? (value as unknown[]) : [];
		const inner = typeof first === 'object' && first !== null ? (first as Values) : {};
		return [{ path, type: typeOf(value) }, ...fieldsOf(inner, `${path}[].`)];
	});
}

/** Whether fields are on the same level: of the body itself, or of its list entries. */
const isInner = (path: string) => path.includes('.');

/** How alike a field and one of the service are; below 0 when their types exclude each other. */
function likeness(endpoint: Endpoint, ours: Field, theirs: Field): number {
	if (isInner(ours.path) !== isInner(theirs.path)) return -1;
	const alike = similarity(endpoint, ours.path, lastPart(theirs.path));
	const isKnown = theirs.type !== 'unknown';
	if (!isKnown || ours.type === theirs.type) return alike;
	// A list may be described as text that has it, a number as text.
	const isText = theirs.type === 'string' && ours.type !== 'boolean';
	return isText ? alike - 30 : -1;
}

/** Descriptions have .NET's names, but entries of lists are always JSON, with names in camelCase. */
const spelledFor = (path: string, name: string) => (isInner(path) ? spell(name, 'json') : name);

/** How alike two names have to be. */
const ALIKE = 20;

/**
 * Gives each field the name of the service that is most like it, and the last name to the last
 * field. Fields that keep their name are left out.
 */
export function assignNames(
	endpoint: Endpoint,
	ours: readonly Field[],
	theirs: readonly Field[],
): Record<string, string> {
	const pairs = ours
		.flatMap((our) =>
			theirs.map((their) => ({ our, their, score: likeness(endpoint, our, their) })),
		)
		.filter(({ score }) => score >= 0)
		.sort((one, other) => other.score - one.score);
	const names: Record<string, string> = {};
	const taken = new Set<string>();
	const assign = (least: number) => {
		for (const { our, their, score } of pairs) {
			if (score < least || our.path in names || taken.has(their.path)) continue;
			names[our.path] = spelledFor(our.path, lastPart(their.path));
			taken.add(their.path);
		}
	};
	assign(ALIKE);
	const level = (fields: readonly Field[], inner: boolean) =>
		fields.filter(({ path }) => isInner(path) === inner);
	for (const inner of [false, true]) {
		const open = level(ours, inner).filter(({ path }) => !(path in names));
		const rest = level(theirs, inner).filter(({ path }) => !taken.has(path));
		if (open.length === 1 && rest.length === 1) assign(0);
	}
	return Object.fromEntries(
		Object.entries(names).filter(
			([path, name]) => name.toLowerCase() !== lastPart(path).toLowerCase(),
		),
	);
}
