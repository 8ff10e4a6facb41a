/** The label of a value of an enumeration: `ViewedByClient` is *Viewed By Client*. */
export const toLabel = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Output fields that have another label when they are filled in. */
const OTHER_WORDS: Record<string, string> = {
	msrp: 'MSRP',
	partyType: 'Person or Company',
	salesPersonName: 'Salesperson Name',
};

/** A name of a field in words: `areaOptionId` is *Area Option ID*. */
export const toWords = (name: string) =>
	OTHER_WORDS[name] ??
	toLabel(name.charAt(0).toUpperCase() + name.slice(1)).replace(/\bId\b/, 'ID');

/** Options of a field, from the values of an enumeration. */
export const toOptions = (values: readonly string[]) =>
	values.map((value) => ({ name: toLabel(value), value }));

/** First and last name, if there are any. */
export const personName = (
	one: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;
