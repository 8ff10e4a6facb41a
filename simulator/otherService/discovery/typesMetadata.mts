/** `/types/metadata`: the service's types as JSON, as ServiceStack's `MetadataTypes`. */

import type { Described, Model } from './model.mts';
import type { Class, Property, TypeRef } from './types.mts';

const NAMESPACE = 'Portal.ServiceModel';

const namespaces: Record<TypeRef['kind'], string> = {
	scalar: 'System',
	enum: NAMESPACE,
	class: NAMESPACE,
	list: 'System.Collections.Generic',
	texts: 'System.Collections.Generic',
};

/** The name of a type as an argument of a generic one. */
function argument(type: TypeRef): string {
	if (type.kind === 'list') return `List<${argument(type.of)}>`;
	return type.kind === 'texts' ? 'Dictionary<String,String>' : type.name;
}

/** A type by its name and arguments: lists are List`1, optional numbers Nullable`1. */
function typeName(type: TypeRef): { name: string; namespace: string; genericArgs?: string[] } {
	const namespace = namespaces[type.kind];
	if (type.kind === 'list') {
		return { name: 'List`1', namespace, genericArgs: [argument(type.of)] };
	}
	if (type.kind === 'texts') {
		return { name: 'Dictionary`2', namespace, genericArgs: ['String', 'String'] };
	}
	return { name: type.name, namespace };
}

function propertyOf({ name, type, isRequired }: Property) {
	const isValueType =
		type.kind === 'enum' || (type.kind === 'scalar' && type.name !== 'String') || undefined;
	const { name: own, ...rest } =
		isValueType && !isRequired
			? { name: 'Nullable`1', namespace: 'System', genericArgs: [argument(type)] }
			: typeName(type);
	return {
		name,
		type: own,
		...rest,
		isValueType,
		isEnum: type.kind === 'enum' || undefined,
		isRequired: isRequired || undefined,
	};
}

const classOf = ({ name, properties }: Class) => ({
	name,
	namespace: NAMESPACE,
	implements: [],
	properties: properties.map(propertyOf),
});

function operationOf({ types }: Model, { request, method, routes, response }: Described) {
	const made = response?.kind === 'class' && types.classes.get(response.name);
	return {
		request: classOf(request),
		response: made ? classOf(made) : undefined,
		actions: [method],
		returnsVoid: response ? undefined : true,
		method,
		returnType: response && typeName(response),
		routes: routes.map((path) => ({ path, verbs: method })),
	};
}

/** The content of `/types/metadata`. */
export function typesMetadata(model: Model, baseUrl: string): unknown {
	const { classes, enums } = model.types;
	return {
		config: { baseUrl, usePath: '/types/metadata', addReturnMarker: true },
		namespaces: [NAMESPACE, 'System', 'System.Collections.Generic'],
		types: [
			...[...classes.values()].map(classOf),
			...[...enums].map(([name, values]) => ({
				name,
				namespace: NAMESPACE,
				isEnum: true,
				enumNames: values,
				enumValues: values.map((_one, index) => String(index)),
			})),
		],
		operations: model.operations.map((one) => operationOf(model, one)),
	};
}
