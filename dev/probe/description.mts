/** What a service says of itself, and how it differs from what this package sends. */
import type { Json } from '../simulator/json.mts';
import { operations } from '../simulator/openapi.mts';
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
	}
}

function readRoutes(text: string): Iterable<[route: string, fields: string[]]> {
	try {
		return readJson(JSON.parse(text));
	} catch {
		return readTypeScript(text);
	}
}

const lower = (name: unknown) => String(name).toLowerCase();

/** How the descriptions differ, by the operation: its fields that they lack, and what they have instead. */
function compareDescription(pages: Description): Record<string, string> {
	const routes = new Map(Object.values(pages).flatMap((text) => [...readRoutes(text)]));
	const differences: Record<string, string> = {};
	for (const { id, method, path, fields } of routes.size > 0 ? operations : []) {
		// A route may be for any method.
		const theirs = routes.get(routeOf(method, path)) ?? routes.get(routeOf('', path));
		const own = [...fields, ...path.matchAll(/(?<=\{)\w+/g)].map(lower);
		const missing = fields.filter((field) => !theirs?.map(lower).includes(lower(field)));
		const others = theirs?.filter((name) => !own.includes(lower(name))) ?? [];
		const instead = others.length > 0 ? ` and has ${others.join(', ')} instead` : '';
		if (theirs === undefined) differences[id] = 'does not have this path';
		else if (missing.length > 0)
			differences[id] = `does not mention ${missing.join(', ')}${instead}`;
	}
	return differences;
}

const toLines = (differences: Record<string, string>) =>
	Object.entries(differences).map(([operation, difference]) => `${operation}: it ${difference}`);

/**
 * The page of `--describe`, for which nobody needs keys.
 *
 * @returns undefined when the service cannot be reached
 */
export async function describe(baseUrl: string): Promise<string | undefined> {
	const statuses: Record<string, number> = {};
	const read = async (path: string) => {
		const headers = { Accept: 'application/json' };
		const response = await fetch(baseUrl + path, { headers, redirect: 'manual' });
		statuses[path] = response.status;
		return response.ok ? await response.text() : '';
	};
	const pages = await readDescription(read).catch(() => undefined);
	if (pages === undefined) return undefined;
	const found = Object.keys(pages);
	const others = PAGES.filter((path) => !found.includes(path)).map(
		(path) => `${path} (${statuses[path] === 200 ? 'a web page' : statuses[path]})`,
	);
	if (found.length === 0) return `# ${baseUrl}\n\nIt has none of ${others.join(', ')}.\n`;
	const lines = toLines(compareDescription(pages)).map((line) => `- ${line}`);
	if (lines.length === 0) lines.push('It names nothing that differs from what this package sends.');
	return [`# ${baseUrl}`, '', `It has ${found.join(', ')}.`, '', ...lines, ''].join('\n');
}

/** Adds to the report how the descriptions differ. */
export function reportDescription(probe: Probe, pages: Description): void {
	if (Object.keys(pages).length === 0) return;
	const differences = compareDescription(pages);
	probe.description = toLines(differences);
	for (const report of probe.endpoints.filter(({ verdict }) => verdict === 'no effect')) {
		report.note += ` The service's description ${differences[report.operation] ?? 'is saved beside the report: look for the names there'}.`;
	}
}
