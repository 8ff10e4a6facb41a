/** Readers with a megabyte of text. */
import { describe, expect, it } from 'vitest';
import { readDate } from '../../nodes/PortalIo/fields/values.ts';
import { proposalId } from '../../nodes/PortalIo/fields/locators.ts';
import { plainReading } from '../../dev/scripts/recordedCall.mts';
import * as values from '../../nodes/PortalIo/fields/values.ts';
import { splitTexts } from '../../nodes/shared/triggerFields.ts';

const MEGABYTE = 1_000_000;

/**
 * `eslint-plugin-regexp` checks that every pattern runs in linear time
 * (`npm run lint`): these are the readers, with what made them slow.
 */
describe('a megabyte', () => {
	it.each<[string, (text: string, label: string) => unknown]>([
		['number', values.readQuantity],
		['amount', values.readMoney],
		['ID', values.readId],
		['list of IDs', values.readIds],
		['email', values.readEmail],
		['flag', values.readBoolean],
		['date', (text, label) => readDate(text, label, 'UTC')],
		['proposal', (text, label) => proposalId.read(text, label, plainReading())],
		[
			'number of a proposal',
			(text, label) => proposalId.read({ mode: 'number', value: text }, label, plainReading()),
		],
	])('refuses a megabyte as %s, in a short sentence', async (_what, read) => {
		for (const part of ['1', '"', ' ', 'a@', '<', 'https://a', '/proposals/1/']) {
			const text = `${part.repeat(MEGABYTE / part.length)}!?`;
			await expect((async () => await read(text, 'Field'))()).rejects.toThrow(/^'Field' .{1,200}$/);
		}
	});

	it.each(['"', '",', ',', 'a"', '[', '""a'])('reads a megabyte of %j as a list', (part) => {
		const text = part.repeat(MEGABYTE / part.length);
		expect(splitTexts(text).join('').length).toBeLessThanOrEqual(MEGABYTE);
	});
});
