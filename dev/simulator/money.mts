/**
 * Converts amounts and quantities between decimals, which only requests and responses contain, and the whole cents and
 * ten-thousandths that the simulator uses.
 */

const QUANTITY_SCALE = 10_000;

/** Converts an amount in the contract (a double) to cents. Removes binary noise first, so 1.005 is rounded to 1.01. */
export const toCents = (amount: number): number => Math.round(Number((amount * 100).toFixed(4)));

export const fromCents = (cents: number): number => cents / 100;

export const toQuantity = (quantity: number): number => Math.round(quantity * QUANTITY_SCALE);

export const fromQuantity = (quantity: number): number => quantity / QUANTITY_SCALE;

export const extend = (unitCents: number, quantity: number): number =>
	Math.round((unitCents * quantity) / QUANTITY_SCALE);

/** Returns `part` as a percentage of `whole`, with two decimals; 0 if `whole` is 0. */
export const percentage = (part: number, whole: number): number =>
	whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
