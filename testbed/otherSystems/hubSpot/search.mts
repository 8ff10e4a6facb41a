/** HubSpot's search over contacts and deals, as far as n8n's node uses it. */
import { properties, type Kind } from './properties.mts';
import { invalid } from './refusal.mts';

/** A contact or a deal. */
export interface Entry {
	id: number;
	/** By the name of the property; points in time are milliseconds since 1970. */
	properties: Record<string, string>;
}

interface Filter {
	propertyName?: string;
	operator?: string;
	value?: string;
}

/** What a search asks for. */
export interface Search {
	filterGroups?: { filters: Filter[] }[];
	sorts?: { propertyName: string; direction: string }[];
	properties?: string[];
	query?: string;
	limit?: number;
	after?: string;
}

const fields = ['filterGroups', 'sorts', 'properties', 'query', 'limit', 'after'];
const usual: Record<Kind, string[]> = {
	contacts: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
	deals: [
		...['amount', 'closedate', 'createdate', 'dealname', 'dealstage'],
		...['hs_lastmodifieddate', 'hs_object_id', 'pipeline'],
	],
};

/** Answers a search. Assumed: a body with an unknown field is refused. */
export function search(kind: Kind, entries: Entry[], body: Search): object {
	const unknown = Object.keys(body).filter((name) => !fields.includes(name));
	if (unknown.length > 0) throw invalid(`Invalid input JSON: unknown field ${unknown.join(', ')}`);
	const { filterGroups = [], sorts = [], limit = 10 } = body;
	if (filterGroups.length > 5) throw invalid('There are too many filter groups');
	if (limit > 200) throw invalid('limit must be at most 200');
	const tests = filterGroups.map(({ filters }) => filters.map((filter) => testOf(kind, filter)));
	const found = entries.filter(
		(entry) =>
			(tests.length === 0 || tests.some((group) => group.every((test) => test(entry)))) &&
			(body.query === undefined || contains(entry, body.query)),
	);
	const [sort] = sorts;
	if (sort) found.sort(orderOf(kind, sort));
	const start = Number(body.after ?? 0);
	const next = start + limit;
	return {
		total: found.length,
		results: found.slice(start, next).map((entry) => shown(kind, entry, body.properties)),
		...(next < found.length && { paging: { next: { after: String(next) } } }),
	};
}

function testOf(kind: Kind, { propertyName = '', operator, value }: Filter) {
	const property = properties[kind][propertyName];
	if (!property) throw invalid(`There was a problem with the request. ${propertyName} is unknown`);
	const of = ({ properties }: Entry) => properties[propertyName] ?? '';
	if (operator === 'HAS_PROPERTY') return (entry: Entry) => of(entry) !== '';
	if (operator === 'NOT_HAS_PROPERTY') return (entry: Entry) => of(entry) === '';
	if (value === undefined || value === '') throw invalid(`${propertyName} needs a value`);
	const wanted = String(value).toLowerCase();
	const isNumber = property.type === 'number' || property.type === 'datetime';
	if (isNumber && !/^-?\d+(\.\d+)?$/.test(wanted)) throw invalid(`${value} is not a number`);
	const tests: Record<string, (actual: string) => boolean> = {
		EQ: (actual) => actual.toLowerCase() === wanted,
		NEQ: (actual) => actual.toLowerCase() !== wanted,
		GT: (actual) => Number(actual) > Number(wanted),
		GTE: (actual) => Number(actual) >= Number(wanted),
		LT: (actual) => Number(actual) < Number(wanted),
		LTE: (actual) => Number(actual) <= Number(wanted),
		CONTAINS_TOKEN: (actual) => hasToken(actual.toLowerCase(), wanted),
	};
	const test = tests[operator ?? ''];
	if (!test) throw invalid(`${operator} is not a valid operator`);
	// A record without the property is found by no comparison, not even by NEQ.
	return (entry: Entry) => of(entry) !== '' && test(of(entry));
}

/** A token is a word; an asterisk stands for any characters. */
function hasToken(actual: string, wanted: string): boolean {
	const pattern = wanted.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '\\S*');
	return new RegExp(`(^|[^a-z0-9])${pattern}($|[^a-z0-9])`).test(actual);
}

const contains = ({ properties }: Entry, query: string) =>
	Object.values(properties).some((value) => value.toLowerCase().includes(query.toLowerCase()));

function orderOf(kind: Kind, sort: { propertyName: string; direction: string }) {
	const { propertyName: name, direction } = sort;
	if (!properties[kind][name]) throw invalid(`${name} is unknown`);
	const sign = direction === 'ASCENDING' ? 1 : -1;
	return (one: Entry, other: Entry) => {
		const by = Number(one.properties[name]) - Number(other.properties[name]);
		return sign * (by || one.id - other.id);
	};
}

/** A record with its usual properties and those that were asked for; times are ISO 8601 here. */
function shown(kind: Kind, { id, properties: values }: Entry, wanted: string[] = []) {
	const names = [...usual[kind], ...wanted].filter((name) => properties[kind][name]);
	const value = (name: string) => {
		const kept = values[name];
		if (kept === undefined || kept === '') return null;
		const isTime = properties[kind][name]!.type === 'datetime';
		return isTime ? new Date(Number(kept)).toISOString() : kept;
	};
	return {
		id: String(id),
		properties: Object.fromEntries(names.map((name) => [name, value(name)])),
		createdAt: new Date(Number(values.createdate)).toISOString(),
		archived: false,
	};
}
