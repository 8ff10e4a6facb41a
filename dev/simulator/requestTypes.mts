/** Defines the service's request types: those of the contract, as changed by a test's settings. */
import type { Values } from './binder.mts';
import {
	enumerations,
	objects,
	readFields,
	type Endpoint,
	type Field,
	type Json,
} from './contract.mts';
import { ServiceError } from './errors.mts';
import type { Settings } from './settings.mts';

/** Returns an endpoint's fields under the service's own names. */
export function requestFields(endpoint: Endpoint, { names, moreFields }: Settings): Field[] {
	const renamed = (field: Field, prefix = ''): Field => ({
		...field,
		wireName: names(prefix + field.name, endpoint),
		fields: objects.get(field.type)?.map((inner) => renamed(inner, `${field.name}.`)),
	});
	return [
		...endpoint.fields.map((field) =>
			endpoint.pathParameters.includes(field.name) ? field : renamed(field),
		),
		...readFields(moreFields[endpoint.name]),
	];
}

function findProblem({ type, maxLength, isList }: Field, value: unknown): string | undefined {
	if (isList) return (value as unknown[]).length === 0 ? 'must not be empty' : undefined;
	if (type === 'text') {
		return String(value).length > maxLength ? `has more than ${maxLength} characters` : undefined;
	}
	// These limits are assumed.
	const [least, most] = type === 'money' ? [0, 99_999_999.99] : [-999_999, 999_999];
	const isNumber = type === 'money' || type === 'number';
	const isInRange = Number(value) >= least! && Number(value) <= most!;
	return isNumber && !isInRange ? `must be between ${least} and ${most}` : undefined;
}

export function checkValues(fields: readonly Field[], values: Values): void {
	const errors = fields.flatMap((field) => {
		const { name, wireName: fieldName, isOptional } = field;
		const isSent = name in values;
		const missing = isOptional ? undefined : 'is required';
		const problem = isSent ? findProblem(field, values[name]) : missing;
		const errorCode = isSent ? 'Invalid' : 'NotEmpty';
		return problem ? [{ errorCode, fieldName, message: `${fieldName} ${problem}.` }] : [];
	});
	if (errors.length === 0) return;
	throw new ServiceError(400, errors.map(({ message }) => message).join(' '), errors);
}

const ZEROS: Record<string, Json> = { int: 0, number: 0, money: 0, bool: false };

/**
 * Adds a zero value, such as 0, false, or null, for each missing required value, including values of objects in a list.
 */
export function addZeros(fields: readonly Field[], values: Values): Values {
	const filled: Values = {};
	for (const field of fields) {
		const { name, type, isList, isOptional } = field;
		const value = values[name];
		if (value === undefined && isOptional) continue;
		const zero = ZEROS[type] ?? enumerations.get(type)?.[0] ?? null;
		filled[name] = value ?? (isList ? [] : zero);
		const inner = field.fields;
		if (isList && inner) {
			filled[name] = filled[name].map((entry: Values) => addZeros(inner, entry));
		}
	}
	return filled;
}

const TYPES: Record<string, string> = {
	int: 'number',
	money: 'number',
	bool: 'boolean',
	text: 'string',
};

const writeDeclaration = ({ wireName, type, isList }: Field) =>
	`\tpublic ${wireName[0]!.toLowerCase()}${wireName.slice(1)}: ${TYPES[type] ?? type}${isList ? '[]' : ''};\n`;

/** Writes ServiceStack's page `/types/typescript`, with every request type as a class. */
export const typescriptPage = (endpoints: readonly Endpoint[], settings: Settings): string =>
	endpoints
		.map((endpoint) => {
			const members = requestFields(endpoint, settings).map(writeDeclaration).join('');
			return `// @Route("${endpoint.path}", "${endpoint.method}")\nexport class ${endpoint.requestType}\n{\n${members}}\n`;
		})
		.join('\n');
