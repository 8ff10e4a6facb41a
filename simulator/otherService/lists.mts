import { invalid } from '../errors.mts';
import type { ListForm } from './settings.mts';

const isBracketed = (text: string) => /^\[.*\]$/s.test(text);

function readText(text: string, forms: readonly ListForm[]): string[] {
	if (forms.includes('brackets') && isBracketed(text)) {
		const inner = text.slice(1, -1).trim();
		return inner === '' ? [] : inner.split(',').map((one) => one.trim().replaceAll(/^"|"$/g, ''));
	}
	if (forms.includes('commas')) return text.split(',').map((one) => one.trim());
	return [text];
}

/**
 * The values of a list field. Without repeated fields only the last one counts. Text in a form that
 * is not read stays one value, which then has the wrong type. A service that reads brackets only
 * refuses a value without them.
 */
export function readList(
	name: string,
	sent: readonly unknown[],
	forms: readonly ListForm[],
): unknown[] {
	const counted = forms.includes('repeated') ? sent : sent.slice(-1);
	return counted.flatMap((value) => {
		if (typeof value !== 'string') return value;
		if (!isBracketed(value) && forms.every((form) => form === 'brackets')) {
			throw invalid(name, `${name} must be a list.`);
		}
		return readText(value, forms);
	});
}
