/** Compares models as people write them, with or without the brand, and regardless of case and spacing. */
import { nameKey } from '../../shared/text';

export const MODEL_SEPARATORS = /[:›»>|]/g;

/**
 * Functions that convert models to the forms in which they are compared, in order. Each form ignores more differences
 * than the one before it.
 */
const MODEL_FORMS: Array<(text: string) => string> = [
	(text) => text.trim(),
	nameKey,
	(text) => nameKey(text).replace(/[\s-]/g, ''),
	(text) => nameKey(text).replace(/[\s-]/g, '').replace(MODEL_SEPARATORS, ''),
];

interface ModeledItem {
	brand?: unknown;
	model?: unknown;
	/** Name, which labor and fees have instead of a model. */
	name?: unknown;
}

/**
 * Returns the items with the given model or, for items without a model, with the given name. Uses the most exact form
 * that matches any item.
 *
 * @param needsBrand true if not all results were read, so a model identifies an item only together with the brand
 */
export function matchModel<T extends ModeledItem>(
	items: T[],
	text: string,
	needsBrand = false,
): T[] {
	for (const toForm of needsBrand ? MODEL_FORMS.slice(0, 2) : MODEL_FORMS) {
		const form = toForm(text);
		const matches = items.filter(({ brand, model, name }) => {
			const ownName = model || name;
			const withBrand = brand ? [`${String(brand)} ${String(ownName)}`] : [];
			const names = needsBrand ? withBrand : [String(ownName), ...withBrand];
			return ownName && names.some((candidate) => toForm(candidate) === form);
		});
		if (matches.length > 0) return matches;
	}
	return [];
}
