import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Caller } from './request';

/**
 * What the requests of one execution share: the credential, decrypted once, and how often a request
 * may be tried. n8n would read and decrypt the credential anew for every request (n8n.md, 2).
 */
export interface Session {
	/** n8n writes a renewed user key into this very object, so that all requests see it. */
	credential: ICredentialDataDecryptedObject;
	maxTries: number;
}

/** How often a request is tried unless the user says otherwise. */
export const DEFAULT_TRIES = 4;

/** By the context that n8n makes for an execution; they go together. */
const sessions = new WeakMap<Caller, Promise<Session>>();

/** The session of an execution, begun when it is first asked for. */
export async function sessionOf(caller: Caller): Promise<Session> {
	let session = sessions.get(caller);
	if (session === undefined) {
		session = begin(caller);
		sessions.set(caller, session);
	}
	return await session;
}

async function begin(caller: Caller): Promise<Session> {
	const stored = await caller.getCredentials('portalIoApi');
	return { credential: { ...stored }, maxTries: DEFAULT_TRIES };
}

/**
 * Sees to it that the next request of a session goes out with another user key than the one that was
 * refused: the one that a sibling request has got meanwhile, or another worker has stored, or else
 * one that n8n exchanges before the request (operations.md gives no lifetime of keys).
 *
 * Where every exchange ends the life of the key before, two workers that exchange at the same moment
 * settle here: the one whose key died finds the other's in the database.
 *
 * @param refused the key that the service did not take
 */
export async function renewKey(caller: Caller, { credential }: Session, refused: string) {
	if (credential.userApiKey !== refused) return;
	const stored = await caller.getCredentials('portalIoApi');
	// A sibling may have been here while the database was read.
	if (credential.userApiKey !== refused) return;
	if (stored.userApiKey && stored.userApiKey !== refused) {
		credential.userApiKey = stored.userApiKey;
		return;
	}
	// n8n exchanges when the key is empty; the exchange wants to know which one to replace.
	credential.refusedUserApiKey = refused;
	credential.userApiKey = '';
}
