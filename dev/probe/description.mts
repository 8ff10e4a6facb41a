/** What a service says of itself, and how it differs from what this package sends. */
import { endpoints, type Json } from './contract.mts';
import type { Probe } from './probe.mts';

const PAGES = [
	'/metadata',
	'/types/typescript',
	'/types/metadata',
	'/openapi',
	'/openapi.json',
	'/swagger',
	'/swagger.json',
];

/** A page by its path, as it came. */
export type Description = Record<string, string>;

/**
 * Reads every page that is there. A page for a browser is no description.
 *
 * @param get reads a path, without a login; '' for what is not there
 */
export async function readDescription(get: (path: string) => Promise<unknown>) {
	const pages: Description = {};
	for (const path of PAGES) {
		const data = await get(path);
		const text = typeof data === 'string' ? data : JSON.stringify(data, undefined, '\t');
		if (text.trim() !== '' && !text.trim().startsWith('<')) pages[path] = text;
	}
	return pages;
}

/** Reads a path of a service of which nobody has keys. */
export const getFrom = (baseUrl: string) => async (path: string) => {
	const headers = { Accept: 'application/json' };
	const response = await fetch(baseUrl + path, { headers, redirect: 'manual' }).catch(
		() => undefined,
	);
	return response?.ok ? await response.text() : '';
};

/** A route without the names of its parameters. */
const routeOf = (method: string, path: string) =>
	`${method} ${path.replace(/\{[^}]*\}/g, '{}')}`.toLowerCase();

/** The fields of each route in OpenAPI, Swagger or the metadata of ServiceStack. */
function* readJson(page: Json): Iterable<[route: string, fields: string[]]> {
	const resolved = ({ $ref = '', ...schema }: Json): Json =>
		$ref
			.split('/')
			.slice(1)
			.reduce((part: Json, key: string) => part?.[key], $ref ? page : schema);
	for (const [path, methods] of Object.entries<Json>(page.paths ?? {})) {
		for (const [method, { parameters = [], requestBody }] of Object.entries<Json>(methods)) {
			const own: Json[] = parameters.map(resolved);
			const bodies = [...own, ...Object.values<Json>(resolved(requestBody ?? {}).content ?? {})];
			const inBodies = bodies.flatMap(({ schema = {} }) =>
				Object.keys(resolved(schema)?.properties ?? {}),
			);
			const named = own.filter(({ in: place }) => ['query', 'formData'].includes(place));
			yield [routeOf(method, path), [...named.map(({ name }) => name), ...inBodies]];
		}
	}
	for (const { request, routes = request?.routes ?? [] } of page.operations ?? []) {
		const fields = (request?.properties ?? []).map(({ name }: Json) => name);
		for (const { path, verbs } of routes)
			for (const verb of String(verbs ?? '').split(/\W+/)) yield [routeOf(verb, path), fields];
	}
}

/** The fields of each route in TypeScript: a class below a comment with its route. */
function* readTypeScript(text: string): Iterable<[route: string, fields: string[]]> {
	for (const [, head = '', body = ''] of text.matchAll(
		/((?:^[ \t]*\/\/.*\r?\n)+)export class [^{]*\{([^}]*)/gm,
	)) {
		const fields = [...body.matchAll(/^\s*(?:public )?(\w+)\??\s*:/gm)].map(([, name]) => name!);
		for (const [, path, verbs = ''] of head.matchAll(/"(\/[^"]*)"(?:, *"([A-Z, ]+)")?/g))
			for (const verb of verbs.split(/\W+/)) yield [routeOf(verb, path!), fields];
		for (const [, verb, path] of head.matchAll(/\b([A-Z]+) (\/\S+)/g))
			yield [routeOf(verb!, path!), fields];
	}
}

function readRoutes(text: string): Iterable<[route: string, fields: string[]]> {
	try {
		return readJson(JSON.parse(text));
	} catch {
		return readTypeScript(text);
	}
}

/** How the descriptions differ, by the operation: our fields that they lack, and what they have instead. */
export function compareDescription(pages: Description) {
	const routes = new Map(Object.values(pages).flatMap((text) => [...readRoutes(text)]));
	// A word of a path is no field.
	const words = new Set(
		Object.values(pages)
			.join('\n')
			.toLowerCase()
			.match(/(?<![\w/{])\w+/g),
	);
	return endpoints.flatMap(({ operation, method, path, fields }) => {
		const theirs = routes.get(routeOf(method, path));
		const known = theirs && new Set(theirs.map((name) => name.toLowerCase()));
		const own = [...fields, ...path.matchAll(/(?<=\{)\w+/g)].map((name) =>
			String(name).toLowerCase(),
		);
		const missing = fields.filter((field) => !(known ?? words).has(field.toLowerCase()));
		const instead = (theirs ?? []).filter((name) => !own.includes(name.toLowerCase()));
		return missing.length === 0 ? [] : [{ operation, missing, instead }];
	});
}

type Difference = ReturnType<typeof compareDescription>[number];

const told = ({ missing, instead }: Difference) =>
	`does not mention ${missing.join(', ')}${instead.length > 0 ? ` and has ${instead.join(', ')} instead` : ''}`;

/** The page of `--describe`. */
export function describe(baseUrl: string, pages: Description): string {
	const names = Object.keys(pages);
	if (names.length === 0) return `# ${baseUrl}\n\nIt has none of ${PAGES.join(', ')}.\n`;
	const lines = compareDescription(pages).map(
		({ operation, missing, instead }) =>
			`| ${operation} | ${missing.join(', ')} | ${instead.join(', ')} |`,
	);
	const table = ['| endpoint | our fields that it lacks | what it has instead |', '|---|---|---|'];
	return [`# ${baseUrl}`, '', `It has ${names.join(', ')}.`, '', ...table, ...lines, ''].join('\n');
}

/** Adds to the report how the descriptions differ. */
export function reportDescription(probe: Probe, pages: Description): void {
	const differences = compareDescription(pages);
	probe.facts.description =
		Object.keys(pages).length === 0
			? `The service has none of ${PAGES.join(', ')}.`
			: { pages: Object.keys(pages), differences };
	if (Object.keys(pages).length === 0) return;
	for (const report of probe.endpoints.filter(({ verdict }) => verdict === 'no effect')) {
		const found = differences.find(({ operation }) => operation === report.operation);
		report.note += ` The service's description ${found ? told(found) : 'is saved beside the report: look for the names there'}.`;
	}
}
