import * as values from '../../nodes/PortalIo/fields/values.ts';
import { describe, expect, it } from 'vitest';
import { splitTexts } from '../../nodes/shared/triggerFields.ts';

describe('an ID', () => {
	it.each([
		[5, 5],
		['5', 5],
		[' 12345 ', 12345],
		['5'.padStart(50, '0'), 5],
		['\ufeff1\u200b2\uff13', 123],
	])('accepts %j as an ID', (given, read) => expect(values.readId(given, 'Proposal')).toBe(read));

	it.each(['5'.padStart(51, '0'), 0, -1, 1.5, Number.NaN, '5a', '../5', '1e3', {}, [5], true])(
		'does not take %j as an ID',
		(given) => expect(() => values.readId(given, 'Proposal')).toThrow(/^'Proposal' /),
	);

	it('says what an ID is', () => {
		expect(() => values.readId('Theater', 'Proposal')).toThrow(
			'must be an ID, the whole number that Portal.io gave the record, such as 12345; it',
		);
	});

	it.each([
		[5, [5]],
		['5', [5]],
		['[1, 2]', [1, 2]],
		['["1","2"]', [1, 2]],
		['1, 2,', [1, 2]],
		[
			['1', 2],
			[1, 2],
		],
		[[], []],
		['', []],
	])('accepts the list %j as IDs', (given, read) =>
		expect(values.readIds(given, 'Items')).toEqual(read),
	);

	it('refuses a wrong ID within a list too', () => {
		expect(() => values.readIds('1;2', 'Item IDs')).toThrow(/^'Item IDs' /);
	});
});

describe('text', () => {
	it('refuses an object that an expression wrote into text', () => {
		expect(() => values.readText('Hello [object Object]', 'Notes')).toThrow(
			expect.objectContaining({
				message: "'Notes' must not contain '[object Object]'",
				description: expect.stringContaining('remove the text and spaces around it'),
			}),
		);
	});

	it.each([
		['mailto:Holt@example.com?subject=Quote', 'Holt@example.com'],
		['"holt@example.com"', 'holt@example.com'],
		['\u201cholt@example.com\u201d\u200b', 'holt@example.com'],
		[' Nora Holt <holt@example.com> ', 'holt@example.com'],
		["'o'brien@example.com'", "o'brien@example.com"],
		['""holt@example.com""', 'holt@example.com'],
		['" holt@example.com "', 'holt@example.com'],
		['mailto: holt@example.com ?cc=a@b.com', 'holt@example.com'],
		['Email:a@x.example', 'a@x.example'],
		['E-mail: <A@x.example>;', 'A@x.example'],
		['<mailto:a@x.example|Maren>', 'a@x.example'],
		['<mailto:a@x.example|a@x.example>', 'a@x.example'],
		['A@x.example <mailto:a@x.example>', 'A@x.example'],
		['[a@x.example](mailto:a@x.example)', 'a@x.example'],
		['a@x.example.', 'a@x.example'],
		['\uff41\uff20x.example', 'a@x.example'],
		[`${'a'.repeat(244)}@example.com`, `${'a'.repeat(244)}@example.com`],
	])('accepts the email address %j', (given, address) =>
		expect(values.readEmail(given, 'Email')).toBe(address),
	);

	it.each([
		'a@x;b@x',
		'a@x, b@x',
		'holt',
		'@example.com',
		'Nora <holt>',
		'Jacob Ash <jacob@new.example>, Maren Holt <maren.holt@clients.example>',
		'jacob@new.example, Maren <maren@clients.example>',
		'jacob@new.example <maren@clients.example>',
		'mailto:jacob@new.example,maren@clients.example',
		'formerly maren@clients.example',
		'to-mailto:maren@clients.example',
		'maren@@clients.example',
		"maren@'",
		`${'a'.repeat(257)}@b.com`,
	])('refuses the email address %j', (given) =>
		expect(() => values.readEmail(given, 'Email')).toThrow("'Email' is not an email"),
	);

	it('refuses an object as text', () => {
		expect(() => values.readText({}, 'Description')).toThrow("'Description' must be text");
	});
});

describe('a list', () => {
	it.each([
		['["Sonance","Corvane"]', ['Sonance', 'Corvane']],
		[' [ "Sonance" ] ', ['Sonance']],
		['[Sonance, Corvane]', ['Sonance', 'Corvane']],
		['"Snap One, LLC", Corvane', ['Snap One, LLC', 'Corvane']],
		['"Snap ""One"""', ['Snap "One"']],
		['"Snap One, LLC" , Corvane', ['Snap One, LLC', 'Corvane']],
		['32" Mount, 40" Mount', ['32" Mount', '40" Mount']],
		['Corvane,, ', ['Corvane']],
		[['Snap One, LLC'], ['Snap One, LLC']],
		['[]', []],
		[' ', []],
	])('reads a list from %j', (given, read) => {
		expect(values.readTexts(given, 'Brands')).toEqual(read);
		expect(values.readEachChoice(given, 'Brands', read)).toEqual(read);
		expect(splitTexts(given)).toEqual(read);
	});
});

describe('what is wrong', () => {
	const read = (entry: unknown) => values.readId(entry, 'Item');
	const failing = async (count: number) => {
		const entries = Array.from({ length: count }, (_, index) => `x${index}`);
		return await values
			.readEntries([1, ...entries], 'Items', read)
			.catch((error: values.FieldError) => error);
	};

	it.each([
		[2, 2, undefined],
		[10, 10, undefined],
		[12, 11, 'And 2 more.'],
	])('names up to ten of %i entries', async (count, lines, last) => {
		const { message, description } = (await failing(count)) as values.FieldError;
		expect(message).toBe(`'Items' has ${count} invalid entries`);
		expect(description!.split('\n')).toHaveLength(lines);
		expect(description!.split('\n')[0]).toMatch(/it is 'x0'$/);
		if (last !== undefined) expect(description!.split('\n').at(-1)).toBe(last);
	});

	it('is the one wrong entry, and a failure that is of none of them', async () => {
		expect(((await failing(1)) as Error).message).toMatch(/^'Item' must be an ID/);
		const broken = values.readEntries(['x', 5], 'Items', (entry) => {
			if (entry === 5) throw new Error('Broken');
			return read(entry);
		});
		await expect(broken).rejects.toThrow('Broken');
	});

	it('is what is no value of its kind', () => {
		expect(() => values.readChoice(5, 'Kind', ['5'])).toThrow("must be one of 5; it is '5'");
		expect(() => values.readEachChoice([5], 'Kind', ['a'])).toThrow("must be one of a; it is '5'");
		expect(() => values.readBoolean('yes', 'On')).toThrow(
			"'On' must be true or false; it is 'yes'",
		);
		expect(() => values.readId('x'.repeat(60), 'Item')).toThrow(`'${'x'.repeat(60)}'`);
		expect(() => values.readId('x'.repeat(61), 'Item')).toThrow(`'${'x'.repeat(60)}…'`);
	});
});

describe('a number', () => {
	it.each([
		[0, 0],
		['0', 0],
		[' 240.90 ', 240.9],
		[1e14, 1e14],
	])('accepts %j as money and as a quantity', (given, read) => {
		expect(values.readMoney(given, 'Cost')).toBe(read);
		expect(values.readQuantity(given, 'Quantity')).toBe(read);
	});

	it('accepts a negative quantity, but no negative money', () => {
		expect(values.readQuantity(-2, 'Quantity')).toBe(-2);
		expect(values.readQuantity('-0.5', 'Quantity')).toBe(-0.5);
		expect(() => values.readMoney(-2, 'Cost')).toThrow("'Cost' must be 0 or more; it is '-2'");
	});

	it.each([
		['1,299.00', 1299],
		['-12,345,678.90', -12_345_678.9],
		['\u22122', -2],
		['\ufeff 2\u00a0', 2],
		['1.5e1', 15],
		['.55', 0.55],
		['1.5e10', 1.5e10],
		['1.5e+2', 150],
		[`${' '.repeat(50)}2`, 2],
		['2'.padStart(50, '0'), 2],
	])('reads a number from %j', (given, read) =>
		expect(values.readQuantity(given, 'Quantity')).toBe(read),
	);

	it.each([
		['$240.90', 240.9],
		[' $ 1,299.00', 1299],
	])('reads money with a dollar sign from %j, and no quantity', (given, read) => {
		expect(values.readMoney(given, 'Cost')).toBe(read);
		expect(() => values.readQuantity(given, 'Quantity')).toThrow("'Quantity' must be a quantity");
	});

	// Raised, lowered, circled, of mathematics, of other scripts, and fractions.
	it.each(['2\u00b9', '\u2082', '\u2461', '1\u00bd', '\u2167', '\u{1d7d0}', '\u0662'])(
		'reads no digits out of %j, and shows it',
		(text) => {
			const shown = (read: () => unknown) => expect(read).toThrow(`it is '${text}'`);
			shown(() => values.readQuantity(text, 'Quantity'));
			shown(() => values.readMoney(text, 'Cost'));
			shown(() => values.readCount(text, 'Limit'));
			shown(() => values.readId(text, 'Proposal'));
		},
	);

	it('reads the wide digits of an Asian keyboard', () => {
		expect(values.readQuantity('\uff12\uff0e\uff15', 'Quantity')).toBe(2.5);
		expect(values.readMoney('\uff04\uff14\uff19\uff19', 'Cost')).toBe(499);
		expect(() => values.readMoney('$499\u00b2', 'Cost')).toThrow("it is '$499\u00b2'");
	});

	const WRONG = 'must be <what>; it is';
	it.each([
		['240,90', `${WRONG} '240,90'`],
		// A decimal comma, or one of thousands: nobody knows.
		['1,299', `${WRONG} '1,299'`],
		['1.299,00', `${WRONG} '1.299,00'`],
		['12,99.00', `${WRONG} '12,99.00'`],
		['1234,299.00', `${WRONG} '1234,299.00'`],
		['2'.padStart(51, '0'), `${WRONG} '${'2'.padStart(51, '0')}'`],
		['No 1,299.00', `${WRONG} 'No 1,299.00'`],
		['1,299.001', `${WRONG} '1,299.001'`],
		['2 ea', `${WRONG} '2 ea'`],
		['two', `${WRONG} 'two'`],
		[true, `${WRONG} 'true'`],
		[[5], `${WRONG} '[5]'`],
		['Infinity', `${WRONG} 'Infinity'`],
		['0x10', `${WRONG} '0x10'`],
		[Infinity, "must be a number below 1,000,000,000,000,000; it is 'Infinity'"],
		[1e15, "must be a number below 1,000,000,000,000,000; it is '1000000000000000'"],
	])('refuses the number %j', (given, message) => {
		const saying = (what: string) => message.replace('<what>', what);
		expect(() => values.readMoney(given, 'Sell Price')).toThrow(
			`'Sell Price' ${saying('an amount such as 240.90 or $1,299.00')}`,
		);
		expect(() => values.readQuantity(given, 'Quantity')).toThrow(
			`'Quantity' ${saying('a quantity such as 2 or 1.5, without a unit')}`,
		);
	});

	it.each([0, -1, 1.5])('refuses the count %j', (given) =>
		expect(() => values.readCount(given, 'Limit')).toThrow(
			`'Limit' must be a whole number of 1 or more; it is '${given}'`,
		),
	);
});

describe('a date', () => {
	// Worked out by hand: New York is 4 hours behind UTC in summer and 5 in winter.
	it.each([
		['2026-07-01T12:00:00', '2026-07-01T16:00:00.000Z'],
		['2026-01-15 08:30', '2026-01-15T13:30:00.000Z'],
		['2026-01-15', '2026-01-15T05:00:00.000Z'],
		['2026-03-08T01:59:00', '2026-03-08T06:59:00.000Z'],
		['2026-03-08T03:00:00', '2026-03-08T07:00:00.000Z'],
		['2026-01-15T08:30:00.25', '2026-01-15T13:30:00.250Z'],
		['2026-01-15T08:30:00Z', '2026-01-15T08:30:00.000Z'],
		['2026-01-15T08:30:00+02:00', '2026-01-15T06:30:00.000Z'],
		[' 2026-01-15T08:30:00+0200 ', '2026-01-15T06:30:00.000Z'],
		// As PostgreSQL writes it, and the other forms of ISO 8601.
		['2026-04-14 09:30:00+00', '2026-04-14T09:30:00.000Z'],
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
		[{ toJSDate: () => new Date(0) }, '1970-01-01T00:00:00.000Z'],
	])('sends the date %j in UTC', (given, utc) =>
		expect(values.readDate(given, 'Modified After', 'America/New_York')).toBe(utc),
	);

	it('reads a date in the zone of the workflow, wherever n8n runs', () => {
		expect(values.readDate('2026-07-01T12:00', 'Day', 'Asia/Tokyo')).toBe(
			'2026-07-01T03:00:00.000Z',
		);
	});

	it.each([
		...[
			'soon',
			'by 2026-04-14',
			'2026-02-31',
			'2026-13-01',
			'2026-01-01T25:00',
			5,
			{},
			null,
			'2026-01-01T99:99:99Z',
		],
		// n8n's own parser takes these, but reads them as March, as American, or in the server's time.
		...['20260231', '2026-W54', '2026-366', '1417881963', '2026-04-14Z'],
		...['2026-02-31T10:00:00Z', '04/05/2026', '2026-01-15 08:30 PM', 'Thu Jan 15 2026'],
	])('refuses the date %j', (given) =>
		expect(() => values.readDate(given, 'Modified After', 'UTC')).toThrow(
			/^'Modified After' must be/,
		),
	);
});
