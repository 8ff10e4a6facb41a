/**
 * Some operations have two documented paths (docs/assumptions.md#two-documented-paths). Which of them a
 * service has is learned from its responses.
 */
import { NoRouteError } from '../../../client/errors';
import type { Fields } from '../../../client/encoding';
import { send, type ServiceRequest } from '../../../client/request';
import type { Session } from '../../../client/session';

/** A request of an operation. */
export interface OperationRequest extends ServiceRequest {
	/** A second documented path, for a service that does not have the first one. */
	alternate?: { path: string; query?: Fields };
}

/** Routes of which the service does not have the first path, as `<base URL> <route>`. */
const alternates = new Set<string>();

/** A path without the IDs in it: what the service has a route for. */
const routeOf = (baseUrl: string, path: string) => `${baseUrl} ${path.replace(/\/\d+/g, '/*')}`;

/**
 * Sends a request as `send` does, and to its second path where the service does not have the first.
 * Which one worked is remembered as long as this process runs.
 *
 * @throws NodeApiError as `send` does
 */
export async function sendToEitherPath(
	session: Session,
	{ alternate, ...first }: OperationRequest,
	itemIndex?: number,
): Promise<unknown> {
	if (alternate === undefined) return await send(session, first, itemIndex);
	const route = routeOf(session.baseUrl, first.path);
	const second = { ...first, query: undefined, ...alternate };
	if (alternates.has(route)) return await send(session, second, itemIndex);
	const response = await send(session, first, itemIndex).catch(onlyMissingRoute);
	if (!(response instanceof NoRouteError)) return response;
	// Whatever the request does: a service without this route has not done it.
	const responseOfSecond = await send(session, second, itemIndex);
	alternates.add(route);
	return responseOfSecond;
}

function onlyMissingRoute(error: Error): NoRouteError {
	if (error instanceof NoRouteError) return error;
	throw error;
}
