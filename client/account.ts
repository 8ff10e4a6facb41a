import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CredentialError } from './errors';

export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

export interface Account {
	/** Has no slash at the end. */
	baseUrl: string;
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
	/** Stays empty until a login with these values has returned one. */
	userApiKey: string;
	/** A hash of the fields above except the user API key. */
	fingerprint: string;
	/** A hash of base URL and email, which stays the same when keys or password change. */
	identity: string;
}

/** Throws a CredentialError that names an invalid field. */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const readRequired = (name: string, label: string) => {
		const value = String(credential[name] ?? '');
		// A pasted line break would invalidate every signature.
		const trimmed = value.trim();
		if (trimmed === '') {
			const advice = 'Fill it in, or check that its expression finds something.';
			throw new CredentialError(`The '${label}' of the credential has no value`, advice);
		}
		// axios would only report 'Invalid character in header content'.
		if (name.endsWith('Key') && !/^[\x20-\x7e]*$/.test(trimmed)) {
			throw new CredentialError(
				`The '${label}' of the credential contains invalid characters: paste it again`,
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

/** n8n keeps the stored key when other fields of the credential change, so it has their fingerprint. */
export const storedUserApiKey = ({ fingerprint }: Account, key: string) => `${fingerprint}.${key}`;

/** Returns '' for a key that was issued for other values of the credential. */
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
		const advice = "Choose 'Production', 'Sandbox' or 'Custom'.";
		throw new CredentialError("The 'Environment' of the credential is unknown", advice);
	}
	const invalidBaseUrl = (reason: string) =>
		new CredentialError(
			`The 'Base URL' of the credential ${reason}`,
			'Enter a URL such as https://api.portal.io.',
		);
	// `URL` ignores spaces, but not the no-break spaces of web pages.
	const text = String(credential.baseUrl).trim();
	if (!URL.canParse(text)) throw invalidBaseUrl('is not a URL');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '')
		throw invalidBaseUrl('must not contain a user or password');
	if (url.search !== '' || url.hash !== '') throw invalidBaseUrl("must not contain '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(text))) {
		throw invalidBaseUrl('must start with https://, because http is not encrypted');
	}
	// People paste the beginning of the URL of an endpoint.
	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/public$/, '');
}

/** Plain http is no risk on the n8n server itself. */
export const isLoopback = (url: string): boolean =>
	URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
