/** Reads the metadata of a ServiceStack service, unless it is turned off. Needs no keys. */
import { send } from './ask.mts';

/** The fields of request types, by the name of the type and by `METHOD path`. */
export type RequestTypes = Map<string, string[]>;

const TYPES_PAGE = '/types/typescript';

/** Pages that only show whether a service describes itself. */
const OTHER_PAGES = ['/metadata', '/json/metadata', '/openapi'];

/** A method and a path without the names of its parameters. */
export const routeOf = (method: string, path: string) =>
	`${method} ${path.replace(/\{[^}]*\}/g, '{}').toLowerCase()}`;

/** Reads the classes of the page `/types/typescript` with their routes. */
export function readTypes(page: string): RequestTypes {
	const types: RequestTypes = new Map();
	let routes: string[] = [];
	let members: string[] = [];
	for (const line of page.split('\n')) {
		const [, path, methods = ''] = /^\/\/ @Route\("([^"]*)"(?:, *"([^"]*)")?/.exec(line) ?? [];
		const [, type] = /^export class (\w+)/.exec(line) ?? [];
		const [, member] = /^\s+(?:public )?(\w+)\??: /.exec(line) ?? [];
		if (path !== undefined) {
			routes.push(...methods.split(',').map((method) => routeOf(method.trim(), path)));
		} else if (type !== undefined) {
			members = [];
			for (const name of [type, ...routes]) types.set(name, members);
			routes = [];
		} else if (member !== undefined) {
			members.push(member);
		}
	}
	return types;
}

/** The request types that a service describes, and the status of each page where it may do so. */
export async function readMetadata(baseUrl: string) {
	const pages: string[] = [];
	let types: RequestTypes = new Map();
	for (const path of [TYPES_PAGE, ...OTHER_PAGES]) {
		const { status, data } = await send({ url: baseUrl + path });
		pages.push(`${path} ${status}`);
		if (path === TYPES_PAGE && status === 200) types = readTypes(data);
	}
	return { types, pages };
}
