import { expect, it } from 'vitest';
import { addMoney, multiplyMoney } from '../../nodes/PortalIo/resources/money.ts';

it.each([
	[2.5, 19.99, 49.98],
	// In binary, 1.005 and 1.15 are stored as slightly smaller numbers.
	[1, 1.005, 1.01],
	[100, 1.15, 115],
	[3, 0.1, 0.3],
	// Half a cent is rounded away from zero.
	[0.5, 0.01, 0.01],
	[-2.5, 19.99, -49.98],
	[-1, 1.005, -1.01],
	[1, 1.0049, 1],
	[-1, 1.0049, -1],
	[4, 0, 0],
	[0, 12.34, 0],
	// JavaScript writes these numbers with an exponent.
	[1e-7, 5_000_000, 0.5],
	[1e21, 2, 2e21],
	[2, 1_234_567_890.12, 2_469_135_780.24],
])('multiplies %d by %d to the cent: %d', (quantity, price, amount) => {
	expect(multiplyMoney(quantity, price)).toBe(amount);
});

it.each([
	[1447.57, 186.06, 1633.63],
	[0.1, 0.2, 0.3],
	[-0.005, 0, -0.01],
	[1e21, 0.01, 1e21],
])('adds %d and %d to the cent: %d', (one, other, sum) => {
	expect(addMoney(one, other)).toBe(sum);
});

it.each([undefined, null, '12', NaN])('returns undefined for the value %j', (price) => {
	expect([
		multiplyMoney(2, price),
		multiplyMoney(price, 2),
		addMoney(price, 2),
		addMoney(2, price),
	]).toEqual(Array(4).fill(undefined));
});
