import type { Operation } from '../contract.mts';
import { itemProperties } from '../itemsField.mts';
import { theirName } from './names.mts';
import type { OtherService } from './settings.mts';

function parse(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/**
 * A list of objects as JSON text with the contract's names; unknown names are left out. What is no
 * list stays as it is.
 */
export function readEntries(
	service: OtherService,
	operation: Operation,
	name: string,
	value: unknown,
): string {
	const list = parse(value);
	if (!Array.isArray(list)) return typeof value === 'string' ? value : JSON.stringify(value);
	const ours = new Map(
		itemProperties.map((own) => [
			theirName(service, operation, `${name}[].${own}`).toLowerCase(),
			own,
		]),
	);
	const readEntry = (entry: object) =>
		Object.fromEntries(
			Object.entries(entry).flatMap(([key, one]) => {
				const own = ours.get(key.toLowerCase());
				return own === undefined ? [] : [[own, one]];
			}),
		);
	return JSON.stringify(
		list.map((entry) => (typeof entry === 'object' && entry !== null ? readEntry(entry) : entry)),
	);
}
