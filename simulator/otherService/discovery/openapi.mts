/** `/openapi` and `/swagger.json`: the service as Swagger 2.0, as ServiceStack generates it. */

import { camelCase } from '../../contract.mts';
import type { Json } from '../../json.mts';
import type { Described, Model } from './model.mts';
import type { Class, Property, TypeRef, Types } from './types.mts';

type Casing = 'camelCase' | 'PascalCase';

const scalars: Record<string, Json> = {
	String: { type: 'string' },
	DateTime: { type: 'string', format: 'date-time' },
	Boolean: { type: 'boolean' },
	Int32: { type: 'integer', format: 'int32' },
	Int64: { type: 'integer', format: 'int64' },
	Double: { type: 'number', format: 'double' },
};

function schemaOf(type: TypeRef, types: Types): Json {
	switch (type.kind) {
		case 'scalar':
			return scalars[type.name];
		case 'enum':
			return { type: 'string', enum: types.enums.get(type.name) };
		case 'class':
			return { $ref: `#/definitions/${type.name}` };
		case 'list':
			return { type: 'array', items: schemaOf(type.of, types) };
		case 'texts':
			return { type: 'object', additionalProperties: { type: 'string' } };
	}
}

const written = (name: string, casing: Casing) => (casing === 'camelCase' ? camelCase(name) : name);

function definitionOf({ name, properties }: Class, types: Types, casing: Casing): Json {
	const required = properties
		.filter((one) => one.isRequired)
		.map((one) => written(one.name, casing));
	return {
		title: name,
		...(required.length > 0 && { required }),
		properties: Object.fromEntries(
			properties.map((one) => [written(one.name, casing), schemaOf(one.type, types)]),
		),
		description: name,
		type: 'object',
	};
}

/** A parameter of the path or, for everything else, of the query; the body has them all again. */
function parameterOf(path: string, { name, type, isRequired }: Property, types: Types): Json {
	const isPath = path.toLowerCase().includes(`{${name.toLowerCase()}}`);
	// the framework writes lists and objects outside the body as text
	const isSimple = type.kind === 'scalar' || type.kind === 'enum';
	return {
		in: isPath ? 'path' : 'query',
		name,
		...(isSimple ? schemaOf(type, types) : { type: 'string' }),
		...((isPath || isRequired) && { required: true }),
	};
}

const postfixes: Record<string, string> = { GET: '_Get', POST: '_Post', DELETE: '_Delete' };

function operationOf({ request, method, response }: Described, path: string, types: Types): Json {
	const [, ...parts] = path.replaceAll(/[{}]/g, '').split('/').filter(Boolean);
	const takesBody = method === 'POST';
	return {
		tags: ['public'],
		operationId: request.name + parts.join('') + postfixes[method],
		consumes: ['application/json'],
		produces: ['application/json'],
		parameters: [
			...request.properties.map((one) => parameterOf(path, one, types)),
			...(takesBody
				? [{ in: 'body', name: 'body', schema: { $ref: `#/definitions/${request.name}` } }]
				: []),
		],
		responses: response
			? { 200: { description: 'Success', schema: schemaOf(response, types) } }
			: { 204: { description: 'No Content' } },
	};
}

/** The content of `/openapi`. */
export function openApi({ operations, types }: Model, host: string, casing: Casing): unknown {
	const paths: Record<string, Json> = {};
	for (const one of operations) {
		for (const path of one.routes) {
			paths[path] ??= { parameters: [{ $ref: '#/parameters/Accept' }] };
			paths[path][one.method.toLowerCase()] = operationOf(one, path, types);
		}
	}
	const classes = [...types.classes.values(), ...operations.map(({ request }) => request)];
	return {
		swagger: '2.0',
		info: { title: 'Portal', version: '1.0' },
		host,
		basePath: '/',
		schemes: ['http'],
		consumes: ['application/json'],
		produces: ['application/json'],
		paths,
		definitions: Object.fromEntries(
			classes.map((one) => [one.name, definitionOf(one, types, casing)]),
		),
		parameters: {
			Accept: {
				type: 'string',
				name: 'Accept',
				description: 'Accept Header',
				enum: ['application/json'],
				in: 'header',
				required: true,
			},
		},
	};
}
