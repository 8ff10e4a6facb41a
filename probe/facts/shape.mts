/** What a body looks like, without what stands in it. */

import { isIdentifier, UNNAMED } from '../identifiers.mts';

/** Members with keys of their own, which may come from the account. */
const OPEN = new Set(['meta', 'headers']);

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** The types of all members by their paths, such as `areas[].options[].id`. */
export function shapeOf(value: unknown, path = ''): Record<string, string> {
	const shape: Record<string, string> = path === '' ? {} : { [path]: typeOf(value) };
	if (Array.isArray(value)) {
		for (const entry of value) Object.assign(shape, shapeOf(entry, `${path}[]`));
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, member] of Object.entries(value)) {
			const own = isIdentifier(name) ? name : UNNAMED;
			const place = path === '' ? own : `${path}.${own}`;
			Object.assign(shape, OPEN.has(name) ? { [place]: typeOf(member) } : shapeOf(member, place));
		}
	}
	return shape;
}

/** What kind of body it is, and which members it has. */
export function bodyOf(data: unknown): { body: string; members?: string[] } {
	if (typeof data === 'object' && data !== null) {
		return { body: 'JSON', members: Object.keys(shapeOf(data)).sort() };
	}
	if (data === '' || data === null || data === undefined) return { body: 'empty' };
	return { body: /^\s*</.test(String(data)) ? 'HTML' : 'text' };
}
