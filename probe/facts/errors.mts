/** What is not there, and where the service leads elsewhere. */
import type { Walk } from '../walk/walk.mts';
import { bodyOf } from './shape.mts';

/** The largest ID there can be, which no record has. */
const NO_ID = 2_147_483_647;

/** The response to a route that does not exist. */
export async function missingRoute({ probe }: Walk): Promise<unknown> {
	const { status, data } = await probe.service.learnMissingRoute();
	return { status, ...bodyOf(data) };
}

/** The response to an ID that does not exist, on a route that does. */
export async function missingId({ probe }: Walk): Promise<unknown> {
	const { status, data } = await probe.call('proposal.get', { ProposalId: NO_ID });
	return { status, ...bodyOf(data) };
}

/** The status of a method that a route does not have. */
export async function wrongMethod({ probe }: Walk): Promise<unknown> {
	const { status, data } = await probe.service.send({ method: 'PUT', path: '/public/users' });
	return { status, ...bodyOf(data) };
}

/** Paths that services often redirect. */
const REDIRECTED = ['/', '/public/proposals/', '/public/users/', '/public//proposals'];

/** Redirects by path, with the path that they lead to. */
export async function redirect({ probe }: Walk): Promise<unknown> {
	const { service } = probe;
	const found: Record<string, unknown> = {};
	for (const path of REDIRECTED) {
		const { status, headers } = await service.send({ method: 'GET', path });
		if (status < 300 || status > 399) continue;
		found[path] = { status, location: locationOf(headers.location, service.baseUrl) };
	}
	return found;
}

/** A path without IDs; of another host not even its name. */
function locationOf(header: unknown, baseUrl: string): string {
	const url = URL.parse(String(header ?? ''), baseUrl);
	if (header === undefined || url === null) return 'none';
	const path = url.pathname.replace(/\d+/g, '{id}');
	return url.host === new URL(baseUrl).host ? path : `${path} of another host`;
}

/** What `Retry-After` held when the service was too busy, as far as it was. */
export async function retryAfter({ probe }: Walk): Promise<unknown> {
	const { retryAfter: value } = probe.service;
	if (value === undefined) return 'not sent';
	return /^\d+$/.test(value) ? `${value} seconds` : 'a date';
}

/** Whether a proposal that has not changed is sent again. */
export async function ifModifiedSince({ probe, proposalId }: Walk): Promise<unknown> {
	if (proposalId === undefined) return 'not known: there is no proposal to read';
	const path = `/public/proposals/${proposalId}`;
	const { headers } = await probe.service.send({ method: 'GET', path });
	const date = headers['last-modified'];
	if (date === undefined) return 'not known: the proposal has no Last-Modified header';
	const conditional = { 'If-Modified-Since': String(date) };
	const { status } = await probe.service.send({ method: 'GET', path, headers: conditional });
	return status;
}
