import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CredentialError } from './errors';

export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

/** A checked credential. */
export interface Account {
	/** Without a slash at the end. */
	baseUrl: string;
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
	/** Empty when no key was exchanged for these values yet. */
	userApiKey: string;
	/** A hash of all of the above but the user API key. */
	fingerprint: string;
	/** A hash of base URL and user alone: it outlives a change of keys or password. */
	identity: string;
}

/** Reads and checks a credential. Throws a CredentialError that names the field and what to do. */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const required = (name: string, label: string) => {
		const value = String(credential[name] ?? '');
		// A pasted line break would invalidate every signature.
		const trimmed = value.trim();
		if (trimmed === '') {
			const advice = 'Fill it in, or check that its expression finds something.';
			throw new CredentialError(`The '${label}' of the credential has no value`, advice);
		}
		// An HTTP header cannot carry other characters; the HTTP client's own message would not help.
		if (name.endsWith('Key') && !/^[\x20-\x7e]*$/.test(trimmed)) {
			throw new CredentialError(
				`The '${label}' of the credential contains invalid characters: paste it again`,
			);
		}
		return name === 'password' ? value : trimmed;
	};
	const login = {
		baseUrl: readBaseUrl(credential),
		appKey: required('appKey', 'Application Key'),
		secretKey: required('secretKey', 'Secret Key'),
		username: required('username', 'Email'),
		password: required('password', 'Password'),
	};
	const fingerprint = hash(Object.values(login));
	const identity = hash([login.baseUrl, login.username.toLowerCase()]);
	return { ...login, fingerprint, identity, userApiKey: readUserApiKey(credential, fingerprint) };
}

const hash = (values: string[]) =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** The value to store for a user API key. n8n keeps it when another field of the credential changes. */
export const storedUserApiKey = ({ fingerprint }: Account, key: string) => `${fingerprint}.${key}`;

/** The user API key in a credential; empty when it was issued for other values than these. */
export function readUserApiKey(
	{ userApiKey }: ICredentialDataDecryptedObject,
	fingerprint: string,
): string {
	const stored = String(userApiKey);
	return stored.startsWith(`${fingerprint}.`) ? stored.slice(fingerprint.length + 1) : '';
}

function readBaseUrl(credential: ICredentialDataDecryptedObject): string {
	const { environment } = credential;
	if (environment === 'production' || environment === 'sandbox') return BASE_URLS[environment];
	if (environment !== 'custom') {
		const advice = "Choose 'Production', 'Sandbox' or 'Custom'.";
		throw new CredentialError("The 'Environment' of the credential is unknown", advice);
	}
	const refuse = (reason: string) =>
		new CredentialError(
			`The 'Base URL' of the credential ${reason}`,
			'Enter a URL such as https://api.portal.io.',
		);
	// URL drops the spaces of a keyboard, but not those of web pages.
	const address = String(credential.baseUrl).trim();
	if (!URL.canParse(address)) throw refuse('is not a URL');
	const url = new URL(address);
	if (url.username !== '' || url.password !== '')
		throw refuse('must not contain a user or password');
	if (url.search !== '' || url.hash !== '') throw refuse("must not contain '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(address))) {
		throw refuse('must start with https://, because http is not encrypted');
	}
	// People paste the beginning of an endpoint's address.
	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/public$/, '');
}

/** Whether a URL points to the n8n server itself, where plain http is no risk. */
export const isLoopback = (url: string): boolean =>
	URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
