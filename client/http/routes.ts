/**
 * Some operations have two documented paths, and which of them a service has is learned from it
 * (operations.md, rule 2).
 */

/** Routes whose first path the service did not have, as `<base URL> <route>`. */
const alternates = new Set<string>();

/** A path without the IDs in it: what the service has a route for. */
const routeOf = (baseUrl: string, path: string) => `${baseUrl} ${path.replace(/\/\d+/g, '/*')}`;

/** Whether the alternate of a path was the one that worked at this service. */
export function prefersAlternate(baseUrl: string, path: string): boolean {
	return alternates.has(routeOf(baseUrl, path));
}

/** Remembers, as long as this process runs, that the alternate of a path is the one that works. */
export function rememberAlternate(baseUrl: string, path: string): void {
	alternates.add(routeOf(baseUrl, path));
}
