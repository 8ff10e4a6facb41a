import * as values from '../../nodes/PortalIo/shared/values.ts';
import { describe, expect, it } from 'vitest';
import { readDate } from '../../nodes/PortalIo/shared/dates.ts';

describe('an ID', () => {
	it.each([
		[5, 5],
		['5', 5],
		[' 12345 ', 12345],
	])('may be %j', (given, read) => expect(values.readId(given, 'Proposal')).toBe(read));

	it.each([0, -1, 1.5, Number.NaN, '5a', '../5', '1e3', '', ' ', null, undefined, {}, [5], true])(
		'is not %j',
		(given) => expect(() => values.readId(given, 'Proposal')).toThrow(/^'Proposal' /),
	);

	it.each([
		[undefined, "'Proposal' is empty: choose or enter one"],
		[
			null,
			"'Proposal' has no value: the expression returned nothing. Check that the previous step",
		],
		['', "'Proposal' is empty: choose or enter one"],
		[
			'Theatre',
			'must be an ID, the whole number that Portal.io gave the record, such as 12345; it',
		],
	])('says of %j what is wrong', (given, message) =>
		expect(() => values.readId(given, 'Proposal')).toThrow(message),
	);

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
	])('may come as the list %j', (given, read) =>
		expect(values.readIds(given, 'Items')).toEqual(read),
	);

	it('is missed where an expression for a list found nothing', () => {
		expect(() => values.readIds(null, 'Items')).toThrow(
			"'Items' has no value: the expression returned nothing",
		);
	});

	it('is refused within a list too', () => {
		expect(() => values.readIds('1;2', 'Item IDs')).toThrow(/^'Item IDs' /);
	});
});

describe('text', () => {
	it('may be empty, but not absent', () => {
		expect(values.readText('', 'Description')).toBe('');
		expect(() => values.readText(undefined, 'Description')).toThrow("'Description' has no value");
		expect(() => values.readText({}, 'Description')).toThrow("'Description' must be text");
	});
});

describe('a number', () => {
	it.each([
		[0, 0],
		['0', 0],
		[' 240.90 ', 240.9],
		[1e14, 1e14],
	])('%j is money and a quantity', (given, read) => {
		expect(values.readMoney(given, 'Cost')).toBe(read);
		expect(values.readQuantity(given, 'Quantity')).toBe(read);
	});

	it('may be negative as a quantity, but not as money', () => {
		expect(values.readQuantity(-2, 'Quantity')).toBe(-2);
		expect(values.readQuantity('-0.5', 'Quantity')).toBe(-0.5);
		expect(() => values.readMoney(-2, 'Cost')).toThrow(
			"'Cost' must be a number of 0 or more; it is '-2'",
		);
	});

	const HOW_TO_WRITE =
		'must be a number: write 240.90, with a decimal point and without thousands separators or a currency sign; it is';
	it.each([
		[undefined, 'has no value: the expression returned nothing. Check that the previous step'],
		[null, 'has no value: the expression returned nothing. Check that the previous step'],
		['', 'is empty: enter a number'],
		[' ', 'is empty: enter a number'],
		['240,90', `${HOW_TO_WRITE} '240,90'`],
		['$240.90', `${HOW_TO_WRITE} '$240.90'`],
		['1,299.00', `${HOW_TO_WRITE} '1,299.00'`],
		['two', `${HOW_TO_WRITE} 'two'`],
		[true, `${HOW_TO_WRITE} 'true'`],
		[[5], `${HOW_TO_WRITE} '[5]'`],
		[NaN, `${HOW_TO_WRITE} 'NaN'`],
		['Infinity', `${HOW_TO_WRITE} 'Infinity'`],
		['0x10', `${HOW_TO_WRITE} '0x10'`],
		[Infinity, "must be a number below 1,000,000,000,000,000; it is 'Infinity'"],
		[1e15, "must be a number below 1,000,000,000,000,000; it is '1000000000000000'"],
	])('%j is none', (given, message) => {
		expect(() => values.readMoney(given, 'Sell Price')).toThrow(`'Sell Price' ${message}`);
		expect(() => values.readQuantity(given, 'Quantity')).toThrow(`'Quantity' ${message}`);
	});

	it.each([0, -1, 1.5])('%j is no count', (given) =>
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
		// As PostgreSQL writes it, and the other forms of ISO 8601.
		['2026-04-14 09:30:00+00', '2026-04-14T09:30:00.000Z'],
		['2026-04-14 09:30:00.123456-07', '2026-04-14T16:30:00.123Z'],
		['20260414T093000Z', '2026-04-14T09:30:00.000Z'],
		['20260414', '2026-04-14T04:00:00.000Z'],
		['2026-W16-2T09:30Z', '2026-04-14T09:30:00.000Z'],
		['2026W162', '2026-04-14T04:00:00.000Z'],
		['2026-W16', '2026-04-13T04:00:00.000Z'],
		['2026-104', '2026-04-14T04:00:00.000Z'],
		['2026-04', '2026-04-01T04:00:00.000Z'],
		['2026-04-14T09', '2026-04-14T13:00:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[{ toJSDate: () => new Date(0) }, '1970-01-01T00:00:00.000Z'],
	])('%j goes out in UTC', (given, utc) =>
		expect(readDate(given, 'Modified After', 'America/New_York')).toBe(utc),
	);

	it.each([
		...['soon', '2026-02-31', '2026-13-01', '2026-01-01T25:00', 5, {}, '2026-01-01T99:99:99Z'],
		// n8n's own parser takes these, but reads them as March, as American, or in the server's time.
		...['20260231', '2026-W54', '2026-366', '1417881963', '2026-04-14Z'],
		...['2026-02-31T10:00:00Z', '04/05/2026', '2026-01-15 08:30 PM', 'Thu Jan 15 2026'],
	])('%j is none', (given) =>
		expect(() => readDate(given, 'Modified After', 'UTC')).toThrow(/^'Modified After' must be/),
	);
});
