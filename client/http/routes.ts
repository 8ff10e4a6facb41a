/**
 * Some operations have two documented paths (docs/portal-api.md#operations-of-the-node). Which of
 * them a service has is learned from its responses.
 */

/** Routes of which the service does not have the first path, as `<base URL> <route>`. */
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
