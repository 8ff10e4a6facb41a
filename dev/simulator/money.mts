/**
 * Inside the simulator, amounts are whole cents and quantities whole ten-thousandths. They become
 * decimal numbers only in a response.
 */

const QUANTITY_SCALE = 10_000;

/** An amount of the contract (a double) as cents. Binary noise is cut off first: 1.005 is 1.01. */
export const toCents = (amount: number): number => Math.round(Number((amount * 100).toFixed(4)));

export const fromCents = (cents: number): number => cents / 100;

export const toQuantity = (quantity: number): number => Math.round(quantity * QUANTITY_SCALE);

export const fromQuantity = (quantity: number): number => quantity / QUANTITY_SCALE;

export const extend = (unitCents: number, quantity: number): number =>
	Math.round((unitCents * quantity) / QUANTITY_SCALE);

/** `part` in percent of `whole`, with two decimals; 0 when `whole` is 0. */
export const percentage = (part: number, whole: number): number =>
	whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
