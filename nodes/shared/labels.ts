/** A value of an enumeration as people read it: `ViewedByClient` is *Viewed By Client*. */
export const labelOf = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** The values of an enumeration as options of a field. */
export const choices = (values: readonly string[]) =>
	values.map((value) => ({ name: labelOf(value), value }));
