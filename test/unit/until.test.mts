/** What the tests with a real n8n wait with: a test that would hang has to say what it waits for. */
import { expect, test } from 'vitest';
import { until } from '../../testbed/until.mts';

test('the first answer other than undefined ends the wait, also one that means no', async () => {
	const answers = [undefined, undefined, false, true];
	let asked = 0;
	expect(await until('an answer', () => answers[asked++])).toBe(false);
	expect(asked).toBe(3);
});

test('an answer that never comes ends with what was waited for', async () => {
	await expect(until('the execution', () => undefined, 50)).rejects.toThrow(
		'Timed out after 0.05 s waiting for the execution.',
	);
});

test('a question that hangs ends so too', async () => {
	const { promise } = Promise.withResolvers<undefined>();
	await expect(until('the publication', () => promise, 50)).rejects.toThrow(
		'Timed out after 0.05 s waiting for the publication.',
	);
});

test('nothing is asked any more once the wait is over', async () => {
	let asked = 0;
	const wait = until('the end', () => void asked++, 50);
	await expect(wait).rejects.toThrow('the end');
	const before = asked;
	// A second wait takes as long as several pauses of the first.
	await expect(until('another', () => undefined, 500)).rejects.toThrow('another');
	expect(asked).toBe(before);
});

test('the error of a question is the error of the wait', async () => {
	const ask = () => {
		throw new Error('n8n has ended');
	};
	await expect(until('an answer', ask)).rejects.toThrow('n8n has ended');
});
