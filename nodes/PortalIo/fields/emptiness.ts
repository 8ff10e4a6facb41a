/** Whether a field has a value: told apart once, before the kind of the field reads it. */
import { isRecord } from '../../../client/data';

/**
 * Why a field has no value: it was not added to its collection, its expression found nothing, or it was
 * left blank.
 */
export type Emptiness = 'leftOut' | 'foundNothing' | 'blank';

/** What a kind of field reads as without a value; where it does not say, that is an error. */
export type Without<T> = Partial<Record<Emptiness, T>>;

/** The kinds of fields by what they read as without a value. */
export const WITHOUT = {
	required: {},
	added: { leftOut: undefined },
	optional: { leftOut: undefined, foundNothing: undefined, blank: undefined },
	/** For what nobody would miss, where an expression found nothing. */
	strict: { leftOut: undefined, blank: undefined },
	clearable: { blank: '' },
	list: { leftOut: [], foundNothing: [], blank: [] },
	strictList: { leftOut: [], blank: [] },
};

/** The value of a resource locator. */
export interface Located {
	value?: unknown;
	mode?: unknown;
}

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is Located => isRecord(value) && 'value' in value;

/** Why a value that was given is none; undefined when it is one. */
export function emptinessOf(value: unknown): Exclude<Emptiness, 'leftOut'> | undefined {
	const given = isLocator(value) ? value.value : value;
	// Arithmetic with a field that does not exist is not a number.
	if (given === undefined || given === null || Number.isNaN(given)) return 'foundNothing';
	const isBlank = typeof given === 'string' ? given.trim() === '' : isEmptyList(given);
	return isBlank ? 'blank' : undefined;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Whether a field has an expression other than that of an AI agent, which leaves it empty on purpose. */
export const isExpression = (raw: unknown): boolean =>
	isLocator(raw)
		? isExpression(raw.value)
		: typeof raw === 'string' && raw.startsWith('=') && !raw.includes('$fromAI(');
