/** Tests values as people type, paste, and import them. */
import { tryToParseDateTime } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { InvalidFields } from '../../nodes/PortalIo/fields/fieldError.ts';
import { proposalId } from '../../nodes/PortalIo/fields/locators.ts';
import * as parsers from '../../nodes/PortalIo/fields/parsers.ts';
import { nameKey, type Choices } from '../../nodes/shared/text.ts';

describe('IDs', () => {
	it.each<[unknown, number]>([
		[5, 5],
		[' 12345 ', 12345],
		['012', 12],
		['5'.padStart(51, '0'), 5],
		['\ufeff1\u200b2\uff13', 123],
		// Spreadsheets and databases can export a column of whole numbers with decimals.
		['1042.0', 1042],
		['1042.000', 1042],
	])('accepts %j as an ID', (given, read) => expect(parsers.parseId(given)).toBe(read));

	it.each([
		0,
		-1,
		1.5,
		Number.NaN,
		'5a',
		'../5',
		'1e3',
		'5.1',
		'5.',
		'.0',
		'1,042.0',
		{},
		[5],
		true,
	])('rejects %j as an ID', (given) =>
		expect(() => parsers.parseId(given)).toThrow(/^must be a numeric ID, such as 12345/),
	);

	it('rejects text into which an expression inserted an object', () => {
		expect(() => parsers.parseText({})).toThrow('must be text');
		expect(() => parsers.parseText('Hello [object Object]')).toThrow(
			expect.objectContaining({
				message: "must not contain '[object Object]'",
				description: expect.stringContaining('Remove the text and spaces around it'),
			}),
		);
	});
});

describe('names', () => {
	it('are compared regardless of case, spaces, and encoding', () => {
		expect(nameKey(' Den\u00a0 A ')).toBe('den a');
		expect(nameKey('Room 2\u00b2')).not.toBe(nameKey('Room 22'));
		expect(nameKey('\uff32oom \uff12')).toBe(nameKey('Room 2'));
		expect(nameKey('Ku\u0308che')).toBe(nameKey('K\u00fcche'));
		expect(nameKey('O\ufb03ce')).toBe('office');
	});
});

describe('emails', () => {
	it.each([
		'a@x.example',
		'"a@x.example"',
		'""a@x.example""',
		'" a@x.example "',
		"''a@x.example.''",
		'\u201ca@x.example\u201d\u200b',
		' Nora Holt <a@x.example> ',
		'\uff41\uff20x.example',
		'mailto:a@x.example?subject=Quote',
		'mailto: a@x.example ?cc=b@y.com',
		'Email:a@x.example',
		'E-mail: <a@x.example>;',
		'<mailto:a@x.example|Maren>',
		'<mailto:a@x.example|a@x.example>',
		'a@x.example <mailto:a@x.example>',
		'[a@x.example](mailto:a@x.example)',
		'Nora (who?) <mailto:a@x.example?cc=b>',
	])('accepts the email %j', (given) => expect(parsers.parseEmail(given)).toBe('a@x.example'));

	it.each(["o'brien@x.example", 'A@X.example', 'who?@x.example', `${'a'.repeat(244)}@example.com`])(
		'accepts the email %s unchanged',
		(address) => expect(parsers.parseEmail(`'${address}'`)).toBe(address),
	);

	it.each([
		'a@x;b@x',
		'a@x, b@x',
		'holt',
		'@example.com',
		'Nora <holt>',
		'maren@@clients.example',
		'Jacob Ash <jacob@new.example>, Maren Holt <maren.holt@clients.example>',
		'jacob@new.example, Maren <m@clients.example>',
		'jacob@new.example <m@clients.example>',
		'mailto:jacob@new.example,maren@clients.example',
		'formerly maren@clients.example',
		'to-mailto:maren@clients.example',
		"maren@'",
		'a@b@clients.example',
		'maren@clients.example <holt>',
		`${'a'.repeat(257)}@b.com`,
	])('rejects the email %j', (given) =>
		expect(() => parsers.parseEmail(given)).toThrow('must be an email address'),
	);
});

describe('lists', () => {
	it.each<[unknown, string[]]>([
		['["Sonance","Corvane"]', ['Sonance', 'Corvane']],
		[' [ "Sonance" ] ', ['Sonance']],
		['[Sonance, Corvane]', ['Sonance', 'Corvane']],
		['"Snap One, LLC" , Corvane', ['Snap One, LLC', 'Corvane']],
		['"Snap ""One"""', ['Snap "One"']],
		['32" Mount, 40" Mount', ['32" Mount', '40" Mount']],
		['["32\\" Mount"]', ['32" Mount']],
		['Den [2]', ['Den [2]']],
		['[2] Den', ['[2] Den']],
		['Corvane,, ', ['Corvane']],
		[['Snap One, LLC', ' '], ['Snap One, LLC']],
		['[]', []],
	])('reads a list from %j', (given, read) => {
		expect(parsers.parseTexts(given)).toEqual(read);
		expect(parsers.parseEachChoice(given, read)).toEqual(read);
	});

	it.each<[unknown, number[]]>([
		[5, [5]],
		['[1, 2]', [1, 2]],
		['["1","2"]', [1, 2]],
		['1, 2,', [1, 2]],
		[[3, 3], [3]],
		[
			[7, '3', 7.0, '7.0', 3, 5],
			[7, 3, 5],
		],
	])('reads each ID only once, in order, from %j', (given, read) =>
		expect(parsers.parseIds(given)).toEqual(read),
	);

	it('parses each entry of a list only once', () => {
		expect(parsers.parseTexts('Corvane, Sonance, Corvane')).toEqual(['Corvane', 'Sonance']);
		expect(parsers.parseEachChoice('part, Part', ['Part', 'Labor'])).toEqual(['Part']);
		expect(parsers.parseOpenChoices('New, part, New', ['Part'])).toEqual(['New', 'Part']);
	});
});

describe('choices', () => {
	const TYPES = ['CustomItem', 'Fee'];
	const STATUSES = ['Accepted', 'Submitted', 'ViewedByClient'];
	const SPECIFY = [{ name: 'Using Fields', value: 'fields' }];

	it.each<[string, Choices, string]>([
		['CustomItem', TYPES, 'CustomItem'],
		['Custom Item', TYPES, 'CustomItem'],
		[' custom_item ', TYPES, 'CustomItem'],
		['Viewed By Client', STATUSES, 'ViewedByClient'],
		['viewed by\u00a0client', STATUSES, 'ViewedByClient'],
		// Portal.io's documentation has two words for each of these statuses.
		['Approved', STATUSES, 'Accepted'],
		['sent', STATUSES, 'Submitted'],
		['Using Fields', SPECIFY, 'fields'],
		['FIELDS', SPECIFY, 'fields'],
		// Prefer the exact value.
		['a b', ['ab', 'a b'], 'a b'],
	])('reads the choice %j by its value, label, or synonym', (text, choices, value) => {
		expect(parsers.parseChoice(text, choices)).toBe(value);
		expect(parsers.parseEachChoice([text], choices)).toEqual([value]);
		expect(parsers.parseOpenChoices(text, choices)).toEqual([value]);
	});

	it.each(['Custom', 'Custom Items', 'Items', '', '-', '__proto__', 5, true, null])(
		'rejects %j, which is neither the value nor the label of a choice',
		(text) => {
			expect(() => parsers.parseChoice(text, TYPES)).toThrow(
				`must be one of CustomItem, Fee; it is '${text}'`,
			);
		},
	);
});

describe('switches', () => {
	it.each([
		[true, true],
		['TRUE', true],
		['True', true],
		[' yes ', true],
		['YES', true],
		['1', true],
		[1, true],
		[false, false],
		['FALSE', false],
		['No', false],
		['0', false],
		[0, false],
	])('reads %j as a switch that is %j', (value, isOn) =>
		expect(parsers.parseBoolean(value)).toBe(isOn),
	);

	it.each(['on', 'off', 'ja', 'y', 'x', '2', 2, -1, '', null, undefined, [true], ['1'], {}])(
		'rejects %j as a switch',
		(value) => expect(() => parsers.parseBoolean(value)).toThrow("must be true or false; it is '"),
	);
});

const read = (value: unknown) => parsers.parseId(value);

describe('rows', () => {
	const parseRows = (...rows: unknown[]) => parsers.parseRows(rows, (row) => parsers.parseId(row));
	const errorOf = (...rows: unknown[]): InvalidFields | undefined => {
		try {
			parseRows(...rows);
		} catch (error) {
			return error as InvalidFields;
		}
		return undefined;
	};

	it('lists the first ten invalid rows in one error', () => {
		const error = errorOf(1, ...Array.from({ length: 12 }, (_, index) => `x${index}`))!;
		expect(error.message).toBe('12 values are invalid');
		const lines = error.description!.split('\n');
		expect(lines[0]).toMatch(/^Row 2: 'Entry' must be a numeric ID, .*; it is 'x0'\.$/);
		expect(lines[9]).toMatch(/^Row 11: /);
		expect(lines.slice(10)).toEqual(['And 2 more.']);
	});

	it('names the row in the error if only one entry is invalid', () => {
		expect(errorOf(1, 'x')!.message).toMatch(/^Row 2: 'Entry' must be a numeric ID/);
		const fail = () => {
			throw new Error('Broken');
		};
		expect(() => parsers.parseRows([1], fail)).toThrow('Broken');
	});

	it('explains what a choice and a switch must be, and shortens a long value', () => {
		expect(() => parsers.parseChoice(5, ['5'])).toThrow("must be one of 5; it is '5'");
		expect(() => parsers.parseEachChoice([5], ['a'])).toThrow("must be one of a; it is '5'");
		expect(() => parsers.parseBoolean('on')).toThrow("must be true or false; it is 'on'");
		expect(() => read({ a: 1 })).toThrow(`it is '{"a":1}'`);
		expect(() => read('x'.repeat(60))).toThrow(`'${'x'.repeat(60)}'`);
		expect(() => read('x'.repeat(61))).toThrow(`'${'x'.repeat(60)}…'`);
	});
});

describe('numbers', () => {
	it.each<[unknown, number]>([
		[' 240.90 ', 240.9],
		[1e14, 1e14],
		['1,299.00', 1299],
		['12,345,678.90', 12_345_678.9],
		['\ufeff 2\u00a0', 2],
		['1.5e1', 15],
		['.55', 0.55],
		['1042.0', 1042],
		['1.5e+2', 150],
		['\uff12\uff0e\uff15', 2.5],
	])('reads money and a quantity from %j', (given, read) => {
		expect(parsers.parseMoney(given)).toBe(read);
		expect(parsers.parseQuantity(given)).toBe(read);
	});

	it.each([0, '0.00', '-0', 0.000_049, -1e-9])(
		'rejects the quantity %j, which rounds to 0',
		(given) => {
			expect(() => parsers.parseQuantity(given)).toThrow('must not be 0');
			expect(parsers.parseQuantity(0.000_05)).toBe(0.000_05);
			expect(parsers.parseMoney(0)).toBe(0);
		},
	);

	it.each([
		[-2, -2],
		['-0.5', -0.5],
		['\u22122', -2],
	])('accepts %j as a quantity but not as money', (given, read) => {
		expect(parsers.parseQuantity(given)).toBe(read);
		expect(() => parsers.parseMoney(given)).toThrow("must be 0 or more; it is '");
	});

	it.each([
		['$240.90', 240.9],
		[' $ 1,299.00', 1299],
		['\uff04\uff14\uff19\uff19', 499],
	])('accepts a dollar sign in %j for money but not for a quantity', (given, read) => {
		expect(parsers.parseMoney(given)).toBe(read);
		expect(() => parsers.parseQuantity(given)).toThrow('must be a quantity');
	});

	// Superscript, subscript, circled, and mathematical digits, digits from other scripts, and fractions.
	it.each(['2\u00b9', '\u2082', '\u2461', '1\u00bd', '\u2167', '\u{1d7d0}', '\u0662'])(
		'quotes the invalid number %j in the error',
		(text) => {
			for (const parse of ['parseQuantity', 'parseMoney', 'parseId'] as const)
				expect(() => parsers[parse](text)).toThrow(`it is '${text}'`);
		},
	);

	it.each([
		'240,90',
		'1,299',
		'1.299,00',
		'12,99.00',
		'1234,299.00',
		'No 1,299.00',
		'1,299.001',
		'2 ea',
		'$499²',
		'4$99',
		true,
		'Infinity',
		'0x10',
		'',
	])('rejects the number %j', (given) => {
		const shown = String(given);
		expect(() => parsers.parseMoney(given)).toThrow(
			`must be an amount such as 240.90 or $1,299.00; it is '${shown}'`,
		);
		expect(() => parsers.parseQuantity(given)).toThrow(
			`must be a quantity such as 2 or 1.5, without a unit; it is '${shown}'`,
		);
	});

	it.each([Infinity, 1e15, -1e15])('rejects the number %j, which has too many digits', (given) =>
		expect(() => parsers.parseMoney(given)).toThrow(
			`must be a number below 1,000,000,000,000,000; it is '${given}'`,
		),
	);

	it.each([0, -1, 1.5])('rejects the count %j', (given) =>
		expect(() => parsers.parseWithin(given, { min: 1, isWhole: true })).toThrow(
			`must be a whole number of at least 1; it is '${given}'`,
		),
	);

	it('accepts a whole number with a decimal zero as a count', () =>
		expect(parsers.parseWithin('50.0', { min: 1, isWhole: true })).toBe(50));
});

describe('dates', () => {
	// Calculated by hand. New York is 4 hours behind UTC in summer and 5 in winter.
	it.each<[unknown, string]>([
		['2026-07-01T12:00:00', '2026-07-01T16:00:00.000Z'],
		['2026-01-15 08:30', '2026-01-15T13:30:00.000Z'],
		['2026-01-15', '2026-01-15T05:00:00.000Z'],
		['2026-03-08T01:59:00', '2026-03-08T06:59:00.000Z'],
		['2026-03-08T03:00:00', '2026-03-08T07:00:00.000Z'],
		['2026-01-15T08:30:00.25', '2026-01-15T13:30:00.250Z'],
		['2026-01-15T08:30:00+02:00', '2026-01-15T06:30:00.000Z'],
		[' 2026-01-15T08:30:00+0200 ', '2026-01-15T06:30:00.000Z'],
		// PostgreSQL's format, and the other formats of ISO 8601.
		['2026-04-14 09:30:00.123456-07', '2026-04-14T16:30:00.123Z'],
		['20260414T093000Z', '2026-04-14T09:30:00.000Z'],
		['20260414', '2026-04-14T04:00:00.000Z'],
		['2026-W16-2T09:30Z', '2026-04-14T09:30:00.000Z'],
		['2026W162', '2026-04-14T04:00:00.000Z'],
		['2026-W16', '2026-04-13T04:00:00.000Z'],
		['2026-104', '2026-04-14T04:00:00.000Z'],
		['2026104', '2026-04-14T04:00:00.000Z'],
		['2026-04', '2026-04-01T04:00:00.000Z'],
		['2026-04-14T09', '2026-04-14T13:00:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[tryToParseDateTime('2026-01-15T08:30+09:00'), '2026-01-14T23:30:00.000Z'],
	])('converts the date %j to UTC', (given, utc) =>
		expect(parsers.parseDate(given, 'America/New_York')).toBe(utc),
	);

	it.each([
		'soon',
		'by 2026-04-14',
		'2026-02-31',
		'2026-13-01',
		'2026-01-01T25:00',
		5,
		{},
		null,
		new Date(Number.NaN),
		// Reject these, because n8n's own parser reads them as dates in March, as American dates, or in the server's
		// time zone.
		'20260231',
		'2026-W54',
		'2026-366',
		'1417881963',
		'2026-04-14Z',
		'Thu Jan 15 2026',
		'2026-02-31T10:00:00Z',
		'2026-01-01T99:99:99Z',
		'04/05/2026',
		'2026-01-15 08:30 PM',
	])('rejects the date %j', (given) =>
		expect(() => parsers.parseDate(given, 'UTC')).toThrow(/^must be/),
	);
});

describe('large values', () => {
	/**
	 * Number of characters for which a pattern was once slow. `eslint-plugin-regexp` now checks that every pattern runs
	 * in linear time.
	 */
	const MEGABYTE = 1_000_000;
	const asLocator = (value: unknown) => proposalId.parse(value, { timezone: 'UTC' });

	it.each<[string, (text: string) => unknown]>([
		['number', (text) => parsers.parseQuantity(text)],
		['amount', (text) => parsers.parseMoney(text)],
		['list of IDs', (text) => parsers.parseIds(text)],
		['email', (text) => parsers.parseEmail(text)],
		['flag', (text) => parsers.parseBoolean(text)],
		['choice', (text) => parsers.parseChoice(text, ['Part'])],
		['date', (text) => parsers.parseDate(text, 'UTC')],
		['proposal', asLocator],
		['number of a proposal', (value) => asLocator({ mode: 'number', value })],
	])('rejects a megabyte of text with a short error: %s', async (_what, read) => {
		for (const part of [...'1" <', 'a@', 'https://a', '/proposals/1/', 'mailto:', 'mailto:?']) {
			const text = `${part.repeat(MEGABYTE / part.length)}!`;
			await expect((async () => await read(text))()).rejects.toThrow(/^.{1,200}$/);
		}
	});

	it.each(['"', '",', ',', 'a"', '[', '""a'])('reads a megabyte of %j as a list', (part) => {
		const text = part.repeat(MEGABYTE / part.length);
		expect(parsers.parseTexts(text).join('').length).toBeLessThanOrEqual(MEGABYTE);
	});
});
