import { describe, expect, it } from 'vitest';
import { readAccount, toStoredKey } from '../../client/account.ts';

const credential = {
	environment: 'production',
	appKey: ' app-key\n',
	secretKey: 'secret-key\n',
	username: ' jörg@example.com ',
	password: ' spaces belong to it ',
	userApiKey: '',
};
const custom = (baseUrl: string) =>
	readAccount({ ...credential, environment: 'custom', baseUrl }).baseUrl;

describe('the values of a credential', () => {
	it('are trimmed, except for the password', () => {
		expect(readAccount(credential)).toEqual({
			baseUrl: 'https://api.portal.io',
			appKey: 'app-key',
			secretKey: 'secret-key',
			username: 'jörg@example.com',
			password: ' spaces belong to it ',
			userApiKey: '',
			fingerprint: expect.stringMatching(/^[\w-]{43}$/),
			identity: expect.stringMatching(/^[\w-]{43}$/),
		});
		const { baseUrl } = readAccount({ ...credential, environment: 'sandbox' });
		expect(baseUrl).toBe('https://sandbox.api.portal.io');
	});

	it.each([
		['other keys', { appKey: 'other', secretKey: 'other' }, true],
		['another password', { password: 'other' }, true],
		['the user in capitals', { username: 'Jörg@Example.com' }, true],
		['another user', { username: 'other@example.com' }, false],
		['another environment', { environment: 'sandbox' }, false],
	])(
		'have an identity that depends only on the user and the environment: %s',
		(_name, change, isSame) => {
			const { identity } = readAccount(credential);
			expect(readAccount({ ...credential, ...change }).identity === identity).toBe(isSame);
		},
	);
});

describe('the base URL', () => {
	it.each([
		['https://proxy.example.com/public/portal//', 'https://proxy.example.com/public/portal'],
		[' https://proxy.example.com:8443\n', 'https://proxy.example.com:8443'],
		['\u00a0https://proxy.example.com\ufeff', 'https://proxy.example.com'],
		['http://127.10.20.254:4010/', 'http://127.10.20.254:4010'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
		['https://api.portal.io/public/', 'https://api.portal.io'],
	])('accepts the base URL %s', (given, read) => expect(custom(given)).toBe(read));

	it.each([
		['api.portal.io', 'is not a URL'],
		['http://localhost.evil.example.com', 'must start with https://'],
		['http://127.0.0.1.evil.example.com', 'must start with https://'],
		['http://notlocalhost', 'must start with https://'],
		['http://1127.0.0.1.example.com', 'must start with https://'],
		['ftp://127.0.0.1', 'must start with https://'],
		['https://user@api.portal.io', 'must not contain a user or password'],
		['https://:pass@api.portal.io', 'must not contain a user or password'],
		['https://api.portal.io?x=1', "must not contain '?'"],
		['https://api.portal.io#x', "must not contain '?'"],
	])("rejects the base URL '%s'", (given, reason) => {
		const message = expect.stringContaining(`credential ${reason}`);
		const description = 'Enter a URL such as https://api.portal.io.';
		expect(() => custom(given)).toThrow(expect.objectContaining({ message, description }));
	});
});

describe('reading a credential', () => {
	it.each([undefined, '', 'Production'])('rejects the environment %j', (environment) =>
		expect(() => readAccount({ ...credential, environment } as never)).toThrow(
			"'Environment' in the credential",
		),
	);

	it.each([
		['environment', 'sandbox'],
		['appKey', 'another'],
		['secretKey', 'another'],
		['username', 'other@example.com'],
		['password', 'nonsense'],
	])('ignores a stored user API key after %s was changed', (field, value) => {
		const account = readAccount(credential);
		const userApiKey = toStoredKey(account, 'the.key=');
		// Keep this format, because existing credentials contain keys in it.
		expect(userApiKey).toBe(`${account.fingerprint}.the.key=`);
		expect(readAccount({ ...credential, userApiKey }).userApiKey).toBe('the.key=');
		expect(readAccount({ ...credential, userApiKey, [field]: value }).userApiKey).toBe('');
	});

	it.each([
		['appKey', 'Application Key'],
		['secretKey', 'Secret Key'],
		['username', 'Email'],
		['password', 'Password'],
	])('requires the %s of a credential', (name, label) => {
		const without = { ...credential, [name]: undefined };
		expect(() => readAccount(without)).toThrow(`The '${label}' in the credential has no value`);
	});

	it('rejects a key with characters that a header cannot contain, without quoting the key', () => {
		const attempt = () => readAccount({ ...credential, secretKey: 'schl\u00fcssel' });
		expect(attempt).toThrow("The 'Secret Key' in the credential contains invalid characters");
		expect(attempt).not.toThrow(/schl/);
	});
});
