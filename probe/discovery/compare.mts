/** Compares what a service says of its endpoints with the contract. */
import { endpoints, resolved, responseSchema, type Endpoint } from '../contract.mts';
import { routeOf } from '../hints.mts';
import type { Differences } from '../model.mts';
import { parametersOf } from '../way.mts';
import { MAX_DEPTH, METHODS, typeOf, type Described, type Shape } from './described.mts';

/** How a described endpoint differs from the contract; only what differs. */
export interface DescribedDifferences {
	request?: Differences;
	response?: Differences;
}

/** What the comparison found. */
export interface Comparison {
	/** By operation; those that are described as the contract has them are left out. */
	differences: Record<string, DescribedDifferences>;
	/** Operations of the contract without a description. */
	undescribed: string[];
	/** Routes that the contract does not have. */
	others: string[];
}

type Schema = Record<string, unknown> & {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	contentSchema?: Schema;
	oneOf?: Schema[];
	anyOf?: Schema[];
};

/** The shape of a schema of the contract. */
function contractShape(schema: Schema, depth = 0): Shape {
	if (depth > MAX_DEPTH) return { type: 'unknown' };
	const one = resolved(schema) as Schema;
	const variant = (one.oneOf ?? one.anyOf)?.[0];
	if (variant !== undefined) return contractShape(variant, depth);
	if (one.contentSchema !== undefined) return contractShape(one.contentSchema, depth);
	const [type] = [one.type].flat().filter((name) => name !== 'null');
	const shape: Shape = { type: typeOf(type) };
	if (one.items !== undefined) shape.entries = contractShape(one.items, depth + 1);
	if (one.properties !== undefined) {
		shape.fields = Object.fromEntries(
			Object.entries(one.properties).map(([name, field]) => [
				name,
				contractShape(field, depth + 1),
			]),
		);
	}
	return shape;
}

/** What this package sends as an item to add: the contract leaves that to the simulator's handler. */
const NEW_ITEM: Shape = {
	type: 'object',
	fields: {
		itemId: { type: 'number' },
		itemType: { type: 'string' },
		quantity: { type: 'number' },
		parentId: { type: 'number' },
	},
};

/** What an endpoint of the contract takes: path, query and body. */
function contractRequest({ operation, path, fields, query }: Endpoint): Shape {
	const inPath = parametersOf(path).map((name) => [name, { type: 'number' }]);
	const all = Object.entries({ ...query, ...fields }) as [string, Schema][];
	return {
		type: 'object',
		fields: {
			...Object.fromEntries(inPath),
			...Object.fromEntries(all.map(([name, schema]) => [name, contractShape(schema)])),
			...(operation === 'item.add' && { Items: { type: 'list', entries: NEW_ITEM } }),
		},
	};
}

/** Names without regard to case. */
const byName = (shape: Shape) =>
	new Map(
		Object.entries(shape.fields ?? {}).map(([name, one]) => [name.toLowerCase(), { name, one }]),
	);

function compare(ours: Shape, theirs: Shape, at: string, found: Differences): void {
	if (ours.type === 'unknown' || theirs.type === 'unknown') return;
	if (ours.type !== theirs.type) {
		found.types.push(`${at === '' ? 'the whole' : at}: ${theirs.type}, not ${ours.type}`);
		return;
	}
	if (ours.entries && theirs.entries) compare(ours.entries, theirs.entries, `${at}[]`, found);
	if (ours.fields === undefined || theirs.fields === undefined) return;
	const [mine, others] = [byName(ours), byName(theirs)];
	const path = (name: string) => (at === '' ? name : `${at}.${name}`);
	for (const [key, { name, one }] of mine) {
		const other = others.get(key);
		if (other === undefined) found.absent.push(path(name));
		else compare(one, other.one, path(name), found);
	}
	for (const [key, { name }] of others) if (!mine.has(key)) found.added.push(path(name));
}

/** @param known names that may be there, too */
function differencesOf(ours: Shape, theirs: Shape, known: string[]): Differences | undefined {
	const found: Differences = { added: [], absent: [], types: [] };
	compare(ours, theirs, '', found);
	const isKnown = (name: string) => known.some((one) => one.toLowerCase() === name.toLowerCase());
	found.added = found.added.filter((name) => !isKnown(name));
	const isSame = Object.values(found).every((list: string[]) => list.length === 0);
	return isSame ? undefined : found;
}

/** Parameters of the other path of an operation: the framework has one type for both. */
const otherParameters = ({ operation }: Endpoint) =>
	endpoints
		.filter((one) => plainName(one.operation) === plainName(operation))
		.flatMap(({ path }) => parametersOf(path));

const plainName = (operation: string) => operation.replace(/\.alternate$/, '');

function compareEndpoint(endpoint: Endpoint, described: Described): DescribedDifferences {
	const schema = responseSchema(endpoint) as Schema | undefined;
	const parameters = otherParameters(endpoint);
	const request = differencesOf(contractRequest(endpoint), described.request, parameters);
	const response =
		schema === undefined || described.response === undefined
			? undefined
			: differencesOf(contractShape(schema), described.response, ['responseStatus']);
	return { ...(request && { request }), ...(response && { response }) };
}

/** Compares every endpoint of the contract with its description. */
export function compareDescription(described: readonly Described[]): Comparison {
	const comparison: Comparison = { differences: {}, undescribed: [], others: [] };
	const known = new Set<string>();
	for (const endpoint of endpoints) {
		const route = routeOf(endpoint.path);
		known.add(`${endpoint.method} ${route}`);
		const found = described.find(
			({ methods, path }) => methods.includes(endpoint.method) && routeOf(path) === route,
		);
		if (found === undefined) comparison.undescribed.push(endpoint.operation);
		else {
			const differences = compareEndpoint(endpoint, found);
			if (Object.keys(differences).length > 0) {
				comparison.differences[endpoint.operation] = differences;
			}
		}
	}
	const routes = described.flatMap(({ methods, path }) =>
		// A route for every method is none that the contract could have.
		methods.length === METHODS.length ? [] : methods.map((method) => ({ method, path })),
	);
	comparison.others = routes
		.filter(({ method, path }) => !known.has(`${method} ${routeOf(path)}`))
		.map(({ method, path }) => `${method} ${path}`)
		.sort();
	return comparison;
}
