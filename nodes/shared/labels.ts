/** A value of an enumeration as people read it: `ViewedByClient` is *Viewed By Client*. */
export const toLabel = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** A name of a field in words: `areaOptionId` is *Area Option ID*. */
export const toWords = (name: string) =>
	toLabel(name.charAt(0).toUpperCase() + name.slice(1)).replace(/\bId\b/, 'ID');

/** The values of an enumeration as options of a field. */
export const toOptions = (values: readonly string[]) =>
	values.map((value) => ({ name: toLabel(value), value }));
