/** Checks that values cannot break out of forms, numbers, and file names. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSentFileName } from '../../nodes/PortalIo/resources/aiContent/formats.ts';
import { parseMoney, parseQuantity } from '../../nodes/PortalIo/fields/parsers.ts';
import { encodeFields } from '../../client/request.ts';
import { buildBody, encodeMultipart } from '../../client/upload.ts';
import { parse } from '../unit/parsedForm.mts';
import { encodableText as hostile, hostileText } from './hostileText.mts';
import { runs } from './runCount.mts';

/**
 * Reads a list entry as Portal.io does. Expects quotation marks around text that Portal.io would otherwise split into
 * several entries.
 */
const readEntry = (text: string) => {
	if (text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
	expect(text).not.toMatch(/[,"[\]{}]/);
	return text;
};

it('encodes form fields and list entries so that they are read unchanged', () => {
	const fields = fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostileText)));
	const property = fc.property(fields, (values) => {
		const read = [...new URLSearchParams(encodeFields(values))].map(([name, text]) => {
			return [name, Array.isArray(values[name!]) ? readEntry(text) : text];
		});
		const expected = Object.entries(values).flatMap(([name, values]) =>
			// Expect the replacement character for half an emoji, as from any UTF-8 encoder.
			[values].flat().map((value) => [name, value.toWellFormed()]),
		);
		expect(read).toEqual(expected);
	});
	fc.assert(property, runs(600));
});

it.each([
	['an amount of money', parseMoney, /^\d+(\.\d{1,6})?$/],
	['a quantity', parseQuantity, /^-?\d+(\.\d{1,6})?$/],
] as const)(
	'sends %s in plain digits, even after inexact arithmetic',
	(_kind, read, plainDigits) => {
		expect(read(0.1 + 0.2)).toBe(0.3);
		const property = fc.property(fc.double(), (number) => {
			let amount: number;
			try {
				amount = read(number);
			} catch (error) {
				expect((error as Error).message).toMatch(
					/^must (not be 0|be 0 or more|be an? (number|amount|quantity))/,
				);
				return;
			}
			expect(String(amount)).toMatch(plainDigits);
		});
		fc.assert(property, runs(2000));
	},
);

it('encodes any file name within a single part of the form', async () => {
	const property = fc.asyncProperty(hostile, hostile, async (fileName, name) => {
		const sent = toSentFileName({ fileName: `${fileName}.mp3` }, 'File');
		const form = encodeMultipart({ name }, [{ name: sent, bytes: 3 }]);
		const { content } = await buildBody(form.frame, Buffer.from('abc'));
		expect(await parse(form.contentType, content as Buffer)).toEqual([
			{ name: 'name', value: Buffer.from(name) },
			{ name: sent, filename: sent, value: Buffer.from('abc') },
		]);
		expect(sent).not.toMatch(/["\\/\p{Cc}]/u);
	});
	await fc.assert(property, runs(300));
});
