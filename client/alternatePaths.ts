/**
 * Some operations have several documented paths (docs/assumptions.md#several-documented-paths). Which
 * of them a service has is learned from its responses.
 */
import type { Fields } from './encoding';
import { PortalError } from './portalError';
import { send, type ServiceRequest } from './request';
import type { Session } from './session';

/** A request of an operation. */
export interface OperationRequest extends ServiceRequest {
	/** Further documented paths, in the order to try them where the service does not have the first. */
	alternates?: Array<{ path: string; query?: Fields }>;
}

/** Which of its paths a route was found at, by `<base URL> <method> <route>`. */
const found = new Map<string, number>();

/** A path without the IDs in it: what the service has a route for. */
const routeOf = (baseUrl: string, { method, path }: ServiceRequest) =>
	`${baseUrl} ${method} ${path.replace(/\/\d+/g, '/*')}`;

const PATH_MAY_HAVE_CHANGED =
	'If other operations work, Portal.io may have changed the path of this one: look for a newer version of this package.';

/**
 * Makes a request on the first of its paths that the service has. Which one that was is remembered as
 * long as this process runs.
 *
 * @param attempt sends it on one path
 * @throws what the attempt throws; PortalError when the service has none of the paths
 */
export async function onAnyPath(
	baseUrl: string,
	{ alternates = [], ...first }: OperationRequest,
	attempt: (request: ServiceRequest) => Promise<unknown>,
): Promise<unknown> {
	const requests = [first, ...alternates.map((one) => ({ ...first, query: undefined, ...one }))];
	const route = routeOf(baseUrl, first);
	const indexes = new Set([found.get(route) ?? 0, ...requests.keys()]);
	let missing: PortalError | undefined;
	for (const index of indexes) {
		// Whatever the request does: a service without this route has not done it.
		const response = await attempt(requests[index]!).catch(onlyMissingRoute);
		if (!(response instanceof PortalError)) {
			found.set(route, index);
			return response;
		}
		missing = response;
	}
	throw missing!.with({ advice: [PATH_MAY_HAVE_CHANGED] });
}

/** Sends a request as `send` does, on any of its paths. */
export const sendToAnyPath = async (
	session: Session,
	request: OperationRequest,
): Promise<unknown> =>
	await onAnyPath(session.baseUrl, request, async (one) => await send(session, one));

function onlyMissingRoute(error: Error): PortalError {
	if (error instanceof PortalError && error.facts?.isMissingRoute === true) return error;
	throw error;
}
