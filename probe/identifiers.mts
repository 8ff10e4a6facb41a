/** Which names of members may be shown by their looks. */

/** Stands in for a name that looks like a value. */
export const UNNAMED = '(a name that is not shown)';

/** Whether a text looks like the name of a field, and not like an address, a number or a sentence. */
export const isIdentifier = (text: string) =>
	/^[A-Za-z_]\w{0,40}$/.test(text) && !/\d{3}/.test(text);
