/** What a service says of its endpoints, whichever page it came from. */

/** The shape of a value. */
export interface Shape {
	type: 'string' | 'number' | 'boolean' | 'list' | 'object' | 'unknown';
	/** Of an object, by name as the service spells it. */
	fields?: Record<string, Shape>;
	/** The names of the fields that it requires. */
	required?: string[];
	/** Of a list. */
	entries?: Shape;
}

const TYPES: Record<string, Shape['type']> = {
	string: 'string',
	integer: 'number',
	number: 'number',
	boolean: 'boolean',
	array: 'list',
	object: 'object',
};

/** The type of a value, by the name that JSON Schema has for it. */
export function typeOf(name = ''): Shape['type'] {
	return TYPES[name] ?? 'unknown';
}

/** One endpoint. */
export interface Described {
	/** All of them when the service names none. */
	methods: string[];
	/** With its parameters in braces. */
	path: string;
	/** Everything that it takes, parameters of the path included. */
	request: Shape;
	/** Undefined when the page does not say. */
	response?: Shape | undefined;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Types that contain themselves are followed that far. */
export const MAX_DEPTH = 8;
