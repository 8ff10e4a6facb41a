import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CredentialError } from './errors';

export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

export interface Account {
	/** URL of the API, without a trailing slash. */
	baseUrl: string;
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
	/** User API key that n8n has stored; '' until a login with these values has returned one. */
	userApiKey: string;
	/** Hash of the fields above, except the user API key. */
	fingerprint: string;
	/** Hash of the base URL and the email, which stays the same when the keys or the password change. */
	identity: string;
}

/** Parses the fields of a credential. Throws a CredentialError that names an invalid field. */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const readRequired = (name: string, label: string) => {
		const value = String(credential[name] ?? '');
		// Trim, or a pasted line break would invalidate every signature.
		const trimmed = value.trim();
		if (trimmed === '') {
			const advice = 'Fill it in, or check that its expression returns a value.';
			throw new CredentialError(`The '${label}' in the credential has no value`, advice);
		}
		// Reject the value here, because otherwise axios would only report 'Invalid character in header content'.
		if (name.endsWith('Key') && !/^[\x20-\x7e]*$/.test(trimmed)) {
			throw new CredentialError(
				`The '${label}' in the credential contains invalid characters. Paste it again.`,
			);
		}
		return name === 'password' ? value : trimmed;
	};
	const login = {
		baseUrl: readBaseUrl(credential),
		appKey: readRequired('appKey', 'Application Key'),
		secretKey: readRequired('secretKey', 'Secret Key'),
		username: readRequired('username', 'Email'),
		password: readRequired('password', 'Password'),
	};
	const fingerprint = hash(Object.values(login));
	const identity = hash([login.baseUrl, login.username.toLowerCase()]);
	return { ...login, fingerprint, identity, userApiKey: readUserApiKey(credential, fingerprint) };
}

const hash = (values: string[]) =>
	createHash('sha256').update(JSON.stringify(values)).digest('base64url');

/** Prefixes a key with the fingerprint, because n8n keeps the stored key when other credential fields change. */
export const toStoredKey = ({ fingerprint }: Account, key: string) => `${fingerprint}.${key}`;

/** Returns the stored key, or '' if it was issued for other values of the credential. */
export function readUserApiKey(
	{ userApiKey }: ICredentialDataDecryptedObject,
	fingerprint: string,
): string {
	const storedKey = String(userApiKey);
	return storedKey.startsWith(`${fingerprint}.`) ? storedKey.slice(fingerprint.length + 1) : '';
}

function readBaseUrl(credential: ICredentialDataDecryptedObject): string {
	const { environment } = credential;
	if (environment === 'production' || environment === 'sandbox') return BASE_URLS[environment];
	if (environment !== 'custom') {
		const advice = "Choose 'Production', 'Sandbox', or 'Custom'.";
		throw new CredentialError("'Environment' in the credential is not a valid choice", advice);
	}
	const invalidBaseUrl = (reason: string) =>
		new CredentialError(
			`The 'Base URL' in the credential ${reason}`,
			'Enter a URL such as https://api.portal.io.',
		);
	// Trim no-break spaces, which are common in text from web pages, and which `URL` does not ignore.
	const text = String(credential.baseUrl).trim();
	if (!URL.canParse(text)) throw invalidBaseUrl('is not a URL');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '')
		throw invalidBaseUrl('must not contain a user or password');
	if (url.search !== '' || url.hash !== '') throw invalidBaseUrl("must not contain '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(text))) {
		throw invalidBaseUrl('must start with https://, because http is not encrypted');
	}
	// Drop `/public`, because people paste the beginning of an endpoint's URL.
	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/public$/, '');
}

/** Returns whether a URL's host is the n8n server itself, where plain http is no risk. */
export const isLoopback = (url: string): boolean =>
	URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
