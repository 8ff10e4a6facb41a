import { UserError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The addresses of the service (public reference, 1). */
export const BASE_URLS = {
	production: 'https://api.portal.io',
	sandbox: 'https://sandbox.api.portal.io',
} as const;

/** A credential of type `portalIoApi`, checked. */
export interface Account {
	/** Scheme, host and possibly a path; no slash at the end. */
	baseUrl: string;
	/** The application key, issued to the integrator (`X-MSS-API-APPID`). */
	appKey: string;
	/** The secret key that signs; used as it stands, never decoded. */
	secretKey: string;
	/** The e-mail address of the user. */
	username: string;
	password: string;
	/** The user API key from the last exchange; empty before the first. */
	userApiKey: string;
}

/**
 * Says that a credential cannot be used and what to change in it.
 *
 * It carries no HTTP response on purpose: n8n answers an exchange that failed with status 401 by
 * exchanging again, and a wrong password would count twice against the account.
 */
export class CredentialError extends UserError {}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address points at this machine: a simulator, where plain http is no risk. */
export function isLoopback(url: string): boolean {
	return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/**
 * Reads and checks a credential. Keys and the user name lose white space around them (a pasted line
 * end would break every signature); the password is taken as it is.
 *
 * @throws CredentialError naming the field and what to do
 */
export function readAccount(credential: ICredentialDataDecryptedObject): Account {
	const text = (name: string) => String(credential[name] ?? '');
	const required = (name: string, label: string) => {
		const value = text(name).trim();
		if (value === '') throw new CredentialError(`Fill in the '${label}' of the credential`);
		// What a header cannot carry would surface as an obscure refusal of the HTTP client.
		if (!/^[\x20-\x7e]*$/.test(value) && name !== 'username') {
			throw new CredentialError(
				`The '${label}' of the credential holds characters that no key has: paste it again`,
			);
		}
		return value;
	};
	if (text('password') === '') {
		throw new CredentialError("Fill in the 'Password' of the credential");
	}
	return {
		baseUrl: baseUrl(text('environment') || 'production', text('baseUrl')),
		appKey: required('appKey', 'Application Key'),
		secretKey: required('secretKey', 'Secret Key'),
		username: required('username', 'User Name'),
		password: text('password'),
		userApiKey: text('userApiKey'),
	};
}

function baseUrl(environment: string, custom: string): string {
	if (environment in BASE_URLS) return BASE_URLS[environment as keyof typeof BASE_URLS];
	const refuse = (reason: string) =>
		new CredentialError(`The 'Base URL' of the credential ${reason}`, {
			description: 'Give an address such as https://api.portal.io',
		});
	const address = custom.trim();
	if (!URL.canParse(address)) throw refuse('is not a web address');
	const url = new URL(address);
	if (url.username !== '' || url.password !== '') throw refuse('must not hold a user or password');
	if (url.search !== '' || url.hash !== '') throw refuse("must end before any '?' or '#'");
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(address))) {
		throw refuse('must start with https://, so that nobody on the way can read what is sent');
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}
