import { FieldError, readEntries } from './values';

/** What people call a record by: the number of a proposal, the model of a catalog item, a name. */
export type ReferenceKind = 'area' | 'areaOption' | 'catalogItem' | 'proposal';

/** A record that is given by what people call it: it stands in the place of the ID until that is known. */
export class Reference {
	readonly kind: ReferenceKind;
	/** The number, model or name. */
	readonly text: string;
	/** Of the field, as errors name it. */
	readonly label: string;
	/** Of a catalog item. */
	readonly itemType: string;

	constructor(kind: ReferenceKind, text: string, label: string, itemType = '') {
		this.kind = kind;
		this.text = text;
		this.label = label;
		this.itemType = itemType;
	}

	/** A reference where an operation has an ID: it never sees one that is not known. */
	static asId(...given: ConstructorParameters<typeof Reference>): number {
		return new Reference(...given) as unknown as number;
	}
}

/** The references in the values of fields, also in rows and collections. */
export function referencesIn(value: unknown): Reference[] {
	if (value instanceof Reference) return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(referencesIn);
}

/**
 * Puts IDs in the place of references.
 *
 * @param label of the field that holds the value, for a list with several wrong entries
 * @param idOf returns the ID, why there is none, or the reference itself where it is to stay
 * @throws FieldError naming the fields whose references have no ID
 */
export function replaceReferences(
	value: unknown,
	label: string,
	idOf: (reference: Reference) => number | string | Reference,
): unknown {
	if (value instanceof Reference) {
		const found = idOf(value);
		if (typeof found === 'string') throw new FieldError(value.label, found);
		return found;
	}
	if (referencesIn(value).length === 0) return value;
	const replaced = (one: unknown) => replaceReferences(one, label, idOf);
	if (Array.isArray(value)) return readEntries(value, label, replaced);
	const entries = Object.entries(value as object).map(([name, one]) => [name, replaced(one)]);
	return Object.fromEntries(entries);
}
