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

/** Values whose labels follow from them, or values with other labels. */
export type Choices = ReadonlyArray<string | { name: string; value: string }>;

/** Options of a field. */
export const toOptions = (choices: Choices) =>
	choices.map((one) => (typeof one === 'string' ? { name: toLabel(one), value: one } : one));

/** First and last name, if there are any. */
export const personName = (
	one: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;
