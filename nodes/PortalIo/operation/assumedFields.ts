import type { Fields, FieldValue } from '../../../client/encoding';
import { toPascalCase } from './operation';

/**
 * Values for which Portal.io has two words: one in its records, and one in its paths or beside another
 * record. Nobody outside knows which one a request needs. The service ignores names that it does not
 * know, so each value is sent under both.
 */
const SECOND_WORDS: Record<string, string> = {
	clientNote: 'note',
	imageUrl: 'image',
	isCombinedPrice: 'combinePrice',
	isRecurringService: 'recurringService',
	isTaxExempt: 'taxExempt',
	itemId: 'referencedItemId',
	proposalItemIds: 'itemIds',
	quantity: 'qty',
};

function underBothWords(values: object): Record<string, FieldValue> {
	const entries = Object.entries(values).flatMap(([name, value]): Array<[string, FieldValue]> => {
		const sent = Array.isArray(value) ? value.map(eachUnderBothWords) : (value as FieldValue);
		const second = SECOND_WORDS[name];
		return second === undefined
			? [[name, sent]]
			: [
					[name, sent],
					[second, sent],
				];
	});
	return Object.fromEntries(entries);
}

const eachUnderBothWords = (entry: unknown): unknown =>
	typeof entry === 'object' && entry !== null ? underBothWords(entry) : entry;

/** The fields of a request whose names no document has (docs/assumptions.md#changes-of-items). */
export const assumedFields = (values: Record<string, FieldValue>): Fields =>
	toPascalCase(underBothWords(values));
