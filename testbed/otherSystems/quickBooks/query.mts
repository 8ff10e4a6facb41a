/** The queries of QuickBooks Online, as far as n8n's node and the examples use them. */
import { Fault } from './fault.mts';
import type { Entity } from './types.mts';

const pattern =
	/^\s*SELECT\s+(?<what>\*|COUNT\(\*\))\s+FROM\s+(?<kind>\w+)(?:\s+WHERE\s+(?<where>.+?))?(?:\s+ORDERBY\s+\w+(?:\s+(?:ASC|DESC))?)?(?:\s+STARTPOSITION\s+(?<early>\d+))?(?:\s+MAXRESULTS\s+(?<max>\d+))?(?:\s+STARTPOSITION\s+(?<late>\d+))?\s*$/i;
const condition = /^(?<field>[\w.]+)\s*(?<operator>=|IN)\s*(?<value>.+)$/i;

/** What a query answers when it does not name a limit, and what it answers at most. */
const USUAL = 100;
const MOST = 1000;

const parseError = (query: string) =>
	new Fault('4000', 'Error parsing query', `QueryParserError: Encountered "${query}"`);

/**
 * Answers a query.
 *
 * @param entities gives all of a kind, under the name with which QuickBooks writes it
 */
export function answerQuery(
	query: string,
	entities: (kind: string) => { name: string; list: Entity[] } | undefined,
): object {
	const parsed = pattern.exec(query)?.groups;
	if (!parsed) throw parseError(query);
	const found = entities(parsed.kind!);
	if (!found) throw parseError(query);
	const conditions = parsed.where?.split(/\s+AND\s+/i) ?? [];
	// Lists of names leave out what is inactive, unless the query asks for it.
	if (!conditions.some((one) => /^Active\b/i.test(one))) conditions.push('Active IN (true)');
	const tests = conditions.map((one) => testOf(one, query));
	const all = found.list.filter((entity) => tests.every((test) => test(entity)));
	if (parsed.what !== '*') return { totalCount: all.length };
	const max = Number(parsed.max ?? USUAL);
	const start = Number(parsed.early ?? parsed.late ?? 1);
	if (max > MOST || start < 1) throw parseError(query);
	const page = all.slice(start - 1, start - 1 + max);
	// An empty page has no list at all.
	if (page.length === 0) return {};
	return { [found.name]: page, startPosition: start, maxResults: page.length };
}

function testOf(text: string, query: string): (entity: Entity) => boolean {
	const parsed = condition.exec(text.trim())?.groups;
	if (!parsed) throw parseError(query);
	const { field, value } = parsed;
	const wanted = value!.replace(/^\(|\)$/g, '').split(/\s*,\s*/);
	const texts = wanted.map((one) => one.replace(/^'|'$/g, '').replaceAll("\\'", "'"));
	return (entity) => {
		const actual = field!
			.split('.')
			.reduce<unknown>((inner, name) => (inner as Entity | undefined)?.[name], entity);
		// Transactions are not active or inactive.
		if (actual === undefined) return field === 'Active';
		return texts.includes(String(actual));
	};
}
