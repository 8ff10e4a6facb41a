/** Reads `/types/metadata`: the types of a ServiceStack service as JSON. */
import { METHODS, type Described } from './described.mts';
import { parseType, Types, type Declaration, type TypeRef } from './types.mts';

interface TypeName {
	name: string;
	genericArgs?: string[];
}
interface Property {
	name: string;
	type: string;
	genericArgs?: string[];
	isRequired?: boolean;
	dataMember?: { name?: string; isRequired?: boolean };
}
interface MetadataType extends TypeName {
	properties?: Property[];
	inherits?: TypeName;
	isEnum?: boolean;
	/** Where older versions have the routes. */
	routes?: Route[];
	returnMarkerTypeName?: TypeName;
}
interface Route {
	path: string;
	/** With commas between them; all of them when it is absent. */
	verbs?: string;
}
interface Operation {
	request: MetadataType;
	response?: MetadataType;
	actions?: string[];
	method?: string;
	returnType?: TypeName;
	routes?: Route[];
}

/** `List`1` with its arguments as `List<Int32>`. */
const refOf = (name: string, genericArgs: string[] = []): TypeRef =>
	parseType(
		genericArgs.length === 0 ? name : `${name.replace(/`\d+$/, '')}<${genericArgs.join(',')}>`,
	);

function declarationOf({ properties = [], inherits, isEnum }: MetadataType): Declaration {
	const named = properties.map((one) => ({ ...one, wire: one.dataMember?.name ?? one.name }));
	return {
		fields: Object.fromEntries(
			named.map(({ wire, type, genericArgs }) => [wire, refOf(type, genericArgs)]),
		),
		required: named
			.filter(({ isRequired, dataMember }) => isRequired || dataMember?.isRequired)
			.map(({ wire }) => wire),
		base: inherits?.name,
		isEnum: isEnum === true,
	};
}

const methodsOf = ({ verbs }: Route, { method, actions }: Operation): string[] => {
	const named = (verbs ?? method ?? actions?.join() ?? '').toUpperCase().split(/[\s,]+/);
	const known = named.filter((one) => METHODS.includes(one));
	return known.length === 0 ? METHODS : known;
};

function describe(operation: Operation, types: Types): Described[] {
	const { request, response, returnType = request.returnMarkerTypeName } = operation;
	const routes = operation.routes ?? request.routes ?? [];
	const returned =
		returnType === undefined
			? response && types.shapeOfFields(declarationOf(response))
			: types.shapeOf(refOf(returnType.name, returnType.genericArgs));
	return routes.map((route) => ({
		methods: methodsOf(route, operation),
		path: route.path,
		request: types.shapeOfFields(declarationOf(request)),
		response: returned,
	}));
}

/** @returns undefined when the page is something else */
export function readTypesMetadata(page: unknown): Described[] | undefined {
	const { operations, types = [] } = (page ?? {}) as {
		operations?: Operation[];
		types?: MetadataType[];
	};
	if (!Array.isArray(operations) || !Array.isArray(types)) return undefined;
	const declared = new Types();
	for (const type of types) declared.declare(type.name, declarationOf(type));
	for (const { response } of operations) {
		if (response === undefined || declared.has(response.name)) continue;
		declared.declare(response.name, declarationOf(response));
	}
	return operations.flatMap((one) => describe(one, declared));
}
