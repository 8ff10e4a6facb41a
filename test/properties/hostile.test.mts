/** Values that try to be more than a value: in forms, numbers and file names. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSentFileName } from '../../nodes/PortalIo/resources/aiContent/formats.ts';
import { parseMoney, parseQuantity } from '../../nodes/PortalIo/fields/parsers.ts';
import { encodeFields } from '../../client/request.ts';
import { buildBody, encodeMultipart } from '../../client/upload.ts';
import { parse } from '../unit/parsedForm.mts';
import { encodableText as hostile, hostileText } from './hostileText.mts';
import { runs } from './runCount.mts';

/** An entry of a list as Portal.io reads it: several entries without quotation marks around it. */
const readEntry = (text: string) => {
	if (text.startsWith('"')) return text.slice(1, -1).replaceAll('""', '"');
	expect(text).not.toMatch(/[,"[\]{}]/);
	return text;
};

it('writes into a form what was put into it, field by field and entry by entry', () => {
	const fields = fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostileText)));
	const property = fc.property(fields, (given) => {
		const read = [...new URLSearchParams(encodeFields(given))].map(([name, text]) => {
			return [name, Array.isArray(given[name!]) ? readEntry(text) : text];
		});
		const expected = Object.entries(given).flatMap(([name, values]) =>
			// Half an emoji becomes what any encoder to UTF-8 makes of it.
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
	'sends %s in plain digits, also after inexact arithmetic',
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

it('keeps any file name inside one part of one form', async () => {
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
