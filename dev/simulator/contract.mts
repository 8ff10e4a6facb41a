import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * Result of parsing JSON, YAML, or a form. It is `any`, because the type checker cannot see that the contract's check
 * guarantees its shape at run time.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** Field of a request, a response, or an object in them. */
export interface Field extends ReturnType<typeof readField> {
	/** Fields of an object, if they differ from those of its type. */
	fields?: readonly Field[];
}

const text = readFileSync(new URL('contract.yaml', import.meta.url), 'utf8');
const contract: Record<'endpoints' | 'enumerations' | 'types', Record<string, string>> = parse(
	text,
);

const upperFirst = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function readField(declaration: string) {
	const [, name, optional, type, length, list, nullable] =
		/^(\w+)(\??): (\w+)(?:\((\d+)\))?(\[\])?(\??)$/.exec(declaration) ?? [];
	if (name === undefined) throw new Error(`contract.yaml has an unreadable field: ${declaration}`);
	return {
		name,
		/** Name in requests, which a setting of the simulator can change. */
		wireName: name,
		/** `int`, `number`, `money`, `bool`, `date`, `text`, or the name of an enumeration or object. */
		type: type!,
		isOptional: optional === '?',
		isNullable: nullable === '?',
		isList: list !== undefined,
		maxLength: Number(length ?? Infinity),
	};
}

/** Parses fields as declared in `contract.yaml`: `Name?: text, SalesPersonId: int`. */
export function readFields(declaration = ''): Field[] {
	return declaration
		.split(', ')
		.filter(Boolean)
		.flatMap((one) =>
			one.startsWith('...') ? readFields(contract.types[one.slice(3)]!) : [readField(one)],
		);
}

export const enumerations: ReadonlyMap<string, readonly string[]> = new Map(
	Object.entries(contract.enumerations).map(([name, values]) => [name, values.split(' | ')]),
);

export const objects: ReadonlyMap<string, readonly Field[]> = new Map(
	Object.entries(contract.types).map(([name, fields]) => [name, readFields(fields)]),
);

export type Endpoint = ReturnType<typeof readEndpoint>;

/** Parses an endpoint. The ID of an operation's additional path ends in `.alternate` or `.newest`. */
function readEndpoint(id: string, declaration: string) {
	const [, mark, method, shortPath, fields, response] =
		/^(\w+) ([A-Z]+) (\S+)(?: \((.*)\))?(?: -> (\S+))?$/.exec(declaration) ?? [];
	if (mark === undefined) throw new Error(`contract.yaml has an unreadable endpoint: ${id}`);
	const path = shortPath!.replace('…', '/public/proposals/{ProposalId}');
	const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const inPath = pathParameters.map((name) => readField(`${name}: int`));
	// Omit fields that are also in the path, because a JSON body that repeats an ID refers to the same field.
	const others = readFields(fields)
		.map((field) => ({ ...field, name: upperFirst(field.name) }))
		.filter(({ name }) => !pathParameters.includes(name));
	const name = id.replace(/\.(alternate|newest)$/, '');
	return {
		id,
		name,
		method: method!,
		path,
		pathParameters,
		fields: [...inPath, ...others],
		mark: mark as 'spec' | 'docs' | 'assumed' | 'confirmed',
		pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
		requestType: name.split('.').map(upperFirst).join(''),
		response: response === undefined ? undefined : readField(`response: ${response}`),
	};
}

export const endpoints: readonly Endpoint[] = Object.entries(contract.endpoints).map(
	([id, declaration]) => readEndpoint(id, declaration),
);

/**
 * Path that exists if an operation has several: the one in the specification, the alternate one, the newest one, or all
 * of them.
 */
export type Routes = 'all' | 'specification' | 'alternate' | 'newest';

const ENDINGS: Record<Exclude<Routes, 'all'>, string[]> = {
	specification: [''],
	alternate: ['.alternate', ''],
	newest: ['.newest', '.alternate', ''],
};

export function endpointsFor(routes: Routes): readonly Endpoint[] {
	if (routes === 'all') return endpoints;
	return [...Map.groupBy(endpoints, ({ name }) => name)].map(([name, paths]) =>
		ENDINGS[routes]
			.map((ending) => paths.find(({ id }) => id === name + ending))
			.find((one) => one !== undefined)!,
	);
}

/** Returns the endpoints at a path, one for each method. A literal segment takes precedence over a parameter. */
export function endpointsAt(path: string, all: readonly Endpoint[] = endpoints): Endpoint[] {
	const matches = all.filter(({ pattern }) => pattern.test(path));
	const fewest = Math.min(...matches.map(({ pathParameters }) => pathParameters.length));
	return matches.filter(({ pathParameters }) => pathParameters.length === fewest);
}

export function endpointOf(method: string, path: string): Endpoint {
	const match = endpointsAt(path).find((endpoint) => endpoint.method === method);
	if (match) return match;
	throw new Error(`The contract has no ${method} ${path}: add it to dev/simulator/contract.yaml`);
}
