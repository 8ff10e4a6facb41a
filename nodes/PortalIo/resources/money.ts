/**
 * Calculates with decimal numbers as people write them. Binary numbers would be rounded incorrectly, because 1.005, for
 * example, is stored as a smaller number.
 */

/**
 * A decimal number, which is `digits` divided by 10 to the power of `scale`. For example, 19.99 is 1999 with a scale of
 * 2.
 */
interface Decimal {
	digits: bigint;
	scale: number;
}

/** Returns quantity × price to the cent; undefined if either is missing, because an unknown price is not 0. */
export function multiplyMoney(quantity: unknown, price: unknown): number | undefined {
	const [one, other] = [toDecimal(quantity), toDecimal(price)];
	if (one === undefined || other === undefined) return undefined;
	return roundToCents({ digits: one.digits * other.digits, scale: one.scale + other.scale });
}

/** Returns the sum to the cent; undefined if either amount is missing. */
export function addMoney(amount: unknown, otherAmount: unknown): number | undefined {
	const [one, other] = [toDecimal(amount), toDecimal(otherAmount)];
	if (one === undefined || other === undefined) return undefined;
	const scale = Math.max(one.scale, other.scale);
	const digits = digitsAt(scale, one) + digitsAt(scale, other);
	return roundToCents({ digits, scale });
}

/**
 * Converts a number from its text form, because JavaScript writes only as many digits as it takes to identify the
 * number, as in 0.1 or 1e-7.
 */
function toDecimal(value: unknown): Decimal | undefined {
	if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
	const [mantissa, exponent = '0'] = String(value).split('e') as [string, string?];
	const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
	const decimal = { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
	return decimal.scale < 0 ? { digits: digitsAt(0, decimal), scale: 0 } : decimal;
}

/** Returns the digits of `decimal` at `scale`, which must not be smaller than the scale of `decimal`. */
const digitsAt = (scale: number, decimal: Decimal): bigint =>
	decimal.digits * 10n ** BigInt(scale - decimal.scale);

const CENTS = 2;

/** Rounds half a cent away from zero, as invoices do. */
function roundToCents(decimal: Decimal): number {
	if (decimal.scale <= CENTS) return Number(`${digitsAt(CENTS, decimal)}e-2`);
	const divisor = 10n ** BigInt(decimal.scale - CENTS);
	const half = decimal.digits < 0n ? -divisor : divisor;
	return Number(`${(2n * decimal.digits + half) / (2n * divisor)}e-2`);
}
