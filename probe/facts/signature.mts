/** What the service says to requests that are not signed as they should be. */
import type { Answer, ProbeRequest } from '../model.mts';
import type { Walk } from '../walk/walk.mts';
import { bodyOf } from './shape.mts';

const READ: ProbeRequest = { method: 'GET', path: '/public/users' };

const HEADERS = ['X-MSS-API-APPID', 'X-MSS-API-USERKEY', 'X-MSS-CUSTOM-DATE', 'X-MSS-SIGNATURE'];

const refusalOf = ({ status, data, headers }: Answer) => ({
	status,
	...bodyOf(data),
	hasWwwAuthenticate: 'www-authenticate' in headers,
});

/** The response to a signature that is wrong. */
export async function wrongSignature({ probe }: Walk): Promise<unknown> {
	const signature = Buffer.from('not the signature of this request').toString('base64');
	const headers = { 'X-MSS-SIGNATURE': signature };
	return refusalOf(await probe.service.send({ ...READ, headers }));
}

/** The response to a user API key that does not exist. */
export async function unknownUserKey({ probe }: Walk): Promise<unknown> {
	const userApiKey = Buffer.from('not a user API key of anybody...').toString('base64');
	return refusalOf(await probe.service.send({ ...READ, userApiKey }));
}

/** The status of a read without any of the headers, and without each of them. */
export async function unauthorizedHeaders({ probe }: Walk): Promise<unknown> {
	const all = await probe.service.send({ ...READ, isUnsigned: true });
	const statuses: Record<string, number> = { 'none of them': all.status };
	for (const name of HEADERS) {
		const { status } = await probe.service.send({ ...READ, headers: { [name]: undefined } });
		statuses[`without ${name}`] = status;
	}
	return statuses;
}

/** Whether a request is also accepted with its query in the signature, or without it. */
export async function otherQuerySignature({ probe }: Walk): Promise<unknown> {
	const { service } = probe;
	const request = { method: 'GET', path: '/public/proposals', query: { PageSize: 1 } };
	// Renews the key if it has expired, which a refusal below must not do.
	await service.send(request);
	const isQuerySigned = service.isQuerySigned;
	service.isQuerySigned = !isQuerySigned;
	try {
		const { status } = await service.send({ ...request, userApiKey: service.userApiKey });
		return status !== 401;
	} finally {
		service.isQuerySigned = isQuerySigned;
	}
}
