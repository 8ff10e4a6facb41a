/** The tests sign with Node's HMAC: it gives what openssl has computed. */
import { describe, expect, it } from 'vitest';
import { commandOf } from '../vectors/command.mts';
import { hmac, messageOf, vectors } from '../vectors/hmac.mts';

describe.each(vectors)('$about', (vector) => {
	const { key, form, command, result } = vector;

	it('is signed by the tests as by openssl', () =>
		expect(hmac(key, messageOf(vector)).toString(form)).toBe(result));

	it('has the command that signs it', () => expect(command).toBe(commandOf(vector)));
});

it('each vector has a name of its own', () => {
	expect(new Set(vectors.map(({ about }) => about)).size).toBe(vectors.length);
});
