/** Values that try to be more than a value: in paths, forms, file names and base URLs. */
import busboy from 'busboy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentFileName } from '../../nodes/PortalIo/resources/aiContent/fileName.ts';
import { readMoney, readQuantity } from '../../nodes/PortalIo/shared/values.ts';
import { isLoopback, readAccount } from '../../client/account.ts';
import { encodeFields, path } from '../../client/encoding.ts';
import { multipart } from '../../client/uploadBody.ts';
import { signRequest } from '../../client/signRequest.ts';
import { encodableText as hostile, hostileText } from './hostileText.mts';
import { runs } from './runCount.mts';

const credential = {
	environment: 'custom',
	appKey: 'app-key',
	secretKey: 'secret-key',
	username: 'dealer@example.com',
	password: 'p&ss?w/rd#',
	userApiKey: 'user-key',
};
const accountAt = (baseUrl: string) => readAccount({ ...credential, baseUrl });
/** Where a path would really be sent. */
const sentTo = (baseUrl: string, url: string) =>
	new URL(signRequest(accountAt(baseUrl), { method: 'GET', url }).url!);

describe('a path', () => {
	it('holds each value in its own segment, or is not built', () => {
		const property = fc.property(hostile, (value) => {
			let built: string;
			try {
				built = path`/public/proposals/${value}/area`;
			} catch {
				expect(['', '.', '..']).toContain(value);
				return;
			}
			const { pathname, search, hash, host } = sentTo('https://api.portal.io', built);
			const segments = pathname.split('/');
			expect(segments).toHaveLength(5);
			expect(decodeURIComponent(segments[3]!)).toBe(value);
			expect([search, hash, host]).toEqual(['', '', 'api.portal.io']);
		});
		fc.assert(property, runs(500));
	});
});

describe('a form', () => {
	it('says what was put into it, field by field and entry by entry', () => {
		const fields = fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostileText)));
		const property = fc.property(fields, (given) => {
			const read = [...new URLSearchParams(encodeFields(given))];
			const expected = Object.entries(given).flatMap(([name, values]) =>
				// Half an emoji becomes what any encoder to UTF-8 makes of it.
				[values].flat().map((value) => [name, value.toWellFormed()]),
			);
			expect(read).toEqual(expected);
		});
		fc.assert(property, runs(600));
	});
});

describe.each([
	['an amount of money', readMoney, /^\d+(\.\d{1,6})?$/],
	['a quantity', readQuantity, /^-?\d+(\.\d{1,6})?$/],
] as const)('%s', (_kind, read, plainDigits) => {
	it('goes out in plain digits, whatever the arithmetic before left of it', () => {
		expect(read(0.1 + 0.2, 'Cost')).toBe(0.3);
		const property = fc.property(fc.double(), (number) => {
			let amount: number;
			try {
				amount = read(number, 'Cost');
			} catch (error) {
				expect((error as Error).message).toMatch(/^'Cost' must be a number/);
				return;
			}
			expect(String(amount)).toMatch(plainDigits);
		});
		fc.assert(property, runs(2000));
	});
});

describe('a file name', () => {
	it('stays one part of one form, whatever it is', async () => {
		const property = fc.asyncProperty(hostile, hostile, async (fileName, name) => {
			const sent = sentFileName({ fileName: `${fileName}.mp3` }, 'File');
			const form = multipart({ name }, [{ name: sent, bytes: 3 }]);
			const parts: string[] = [];
			const parser = busboy({
				headers: { 'content-type': form.contentType },
				defParamCharset: 'utf8',
				preservePath: true,
			});
			parser.on('field', (field, value) => parts.push(`${field}: ${value}`));
			parser.on('file', (field, file, { filename }) => {
				parts.push(`${field} as ${filename}`);
				file.resume();
			});
			const closed = new Promise((resolve, reject) => {
				parser.on('close', resolve).on('error', reject);
			});
			for await (const piece of form.frame([Buffer.from('abc')])) parser.write(piece);
			parser.end();
			await closed;
			expect(parts).toEqual([`name: ${name}`, `${sent} as ${sent}`]);
			expect(sent).not.toMatch(/["\\/\p{Cc}]/u);
		});
		await fc.assert(property, runs(300));
	});
});

describe('a base URL', () => {
	const scheme = fc.constantFrom(
		...['https://', 'http://', 'HTTPS://', 'ftp://', 'javascript:', '//', ''],
	);
	const user = fc.constantFrom('', '', '', 'user@', 'user:pass@', ':@', '@');
	const host = fc.constantFrom(
		...['api.portal.io', 'localhost', 'LOCALHOST', '127.0.0.1', '127.1', '0x7f.1', '127.255.0.9'],
		...['[::1]', '[::ffff:127.0.0.1]', '[::2]', '0.0.0.0', '10.0.0.1', '127.0.0.1.evil.example'],
		...['localhost.evil.example', 'evil.example', 'xn--n3h.example', '128.0.0.1', 'localhost.', ''],
	);
	const port = fc.constantFrom('', '', ':443', ':80', ':8443', ':0', ':99999', ':x');
	const tail = fc.constantFrom(
		...['', '/', '//', '/a', '/a/', '/a//', '/a/../b', '/%2e%2e/', '?x=1', '#x', '/a?', ' '],
	);
	const address = fc.tuple(scheme, user, host, port, tail).map((parts) => parts.join(''));

	it('is taken with port and path, or refused with the field named; never with a password or plain http', () => {
		const property = fc.property(fc.oneof(address, hostile), (given) => {
			let baseUrl: string;
			try {
				({ baseUrl } = accountAt(given));
			} catch (error) {
				expect((error as Error).message).toMatch(/^The 'Base URL' of the credential /);
				return;
			}
			const url = new URL(baseUrl);
			expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
			expect(baseUrl.endsWith('/')).toBe(false);
			if (url.protocol !== 'https:') {
				expect(url.protocol).toBe('http:');
				// localhost, 127.0.0.0/8 and ::1, in the form that every URL parser brings them into.
				expect(url.hostname).toMatch(/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/);
				expect(isLoopback(baseUrl)).toBe(true);
			}
			const sent = sentTo(given, '/public/users');
			expect(sent.origin).toBe(new URL(given).origin);
			expect(sent.href).toBe(`${baseUrl}/public/users`);
		});
		fc.assert(property, runs(1000));
	});
});
