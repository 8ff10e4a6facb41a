/** Compares models as people write them: with or without the brand, in any case and spacing. */
import { nameKey } from '../../shared/text';

export const MODEL_SEPARATORS = /[:›»>|]/g;

/**
 * A model is compared in these forms, one after the other. Each form ignores more differences than the one
 * before it.
 */
const MODEL_FORMS: Array<(text: string) => string> = [
	(text) => text.trim(),
	nameKey,
	(text) => nameKey(text).replace(/[\s-]/g, ''),
	(text) => nameKey(text).replace(/[\s-]/g, '').replace(MODEL_SEPARATORS, ''),
];

/** Uses the most exact match. If more results exist, only the brand distinguishes items. */
export function withModel<T extends { brand?: unknown; model?: unknown }>(
	items: T[],
	text: string,
	needsBrand = false,
): T[] {
	for (const formOf of needsBrand ? MODEL_FORMS.slice(0, 2) : MODEL_FORMS) {
		const form = formOf(text);
		const matches = items.filter(({ brand, model }) => {
			const withBrand = brand ? [`${String(brand)} ${String(model)}`] : [];
			const names = needsBrand ? withBrand : [String(model), ...withBrand];
			return model && names.some((name) => formOf(name) === form);
		});
		if (matches.length > 0) return matches;
	}
	return [];
}
