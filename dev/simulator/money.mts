/**
 * Inside the simulator, amounts are whole cents and quantities whole ten-thousandths, so that sums
 * are exact. They become decimal numbers only in a response.
 */

/** The scale of a stored quantity: 2.5 hours are stored as 25000. */
export const QUANTITY_SCALE = 10_000;

/** `numerator / denominator` rounded to a whole number, half away from zero. Exact at any size. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
	const negative = numerator < 0n !== denominator < 0n;
	const top = numerator < 0n ? -numerator : numerator;
	const bottom = denominator < 0n ? -denominator : denominator;
	const rounded = (top * 2n + bottom) / (bottom * 2n);
	return negative ? -rounded : rounded;
}

/**
 * Reads a decimal number as a whole number of `1 / scale`, half away from zero: `toUnits(12.345,
 * 100)` is 1235. Works on the shortest decimal text of the number, so that 1.005 is exactly 1.005.
 */
export function toUnits(value: number, scale: number): number {
	const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
	if (!match) throw new RangeError(`not a number: ${value}`);
	const [, sign, whole, fraction = '', exponent = '0'] = match;
	const digits = BigInt(whole + fraction) * BigInt(scale);
	const shift = Number(exponent) - fraction.length;
	const units =
		shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift));
	return Number(sign ? -units : units);
}

/** An amount of the contract (a double) as cents. */
export const toCents = (amount: number): number => toUnits(amount, 100);

/** Cents as an amount of the contract (a double). */
export const fromCents = (cents: number): number => cents / 100;

/** A quantity of the contract as stored. */
export const toQuantity = (quantity: number): number => toUnits(quantity, QUANTITY_SCALE);

/** A stored quantity as in the contract. */
export const fromQuantity = (quantity: number): number => quantity / QUANTITY_SCALE;

/** Unit price times a stored quantity, in cents, half away from zero. */
export function extend(unitCents: number, quantity: number): number {
	return Number(divideRounded(BigInt(unitCents) * BigInt(quantity), BigInt(QUANTITY_SCALE)));
}

/** `cents * numerator / denominator` in cents, half away from zero; 0 when the denominator is 0. */
export function share(cents: number, numerator: number, denominator: number): number {
	if (denominator === 0) return 0;
	return Number(divideRounded(BigInt(cents) * BigInt(numerator), BigInt(denominator)));
}

/** `part` in percent of `whole`, with two decimals; 0 when `whole` is 0. */
export function percentage(part: number, whole: number): number {
	return share(10_000, part, whole) / 100;
}
