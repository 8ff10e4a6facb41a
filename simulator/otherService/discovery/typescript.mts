/** `/types/typescript`: the service's types as TypeScript, with the routes in comments. */

import { camelCase } from '../../contract.mts';
import type { Described, Model } from './model.mts';
import type { Class, Property, TypeRef } from './types.mts';

const scalars: Record<string, string> = {
	String: 'string',
	DateTime: 'string',
	Boolean: 'boolean',
	Int32: 'number',
	Int64: 'number',
	Double: 'number',
};

function typeOf(type: TypeRef): string {
	if (type.kind === 'list') return `${typeOf(type.of)}[]`;
	if (type.kind === 'texts') return '{ [index: string]: string; }';
	return type.kind === 'scalar' ? scalars[type.name]! : type.name;
}

/** How the class of a response is made; nothing for a response without a body. */
function constructorOf(response: TypeRef | undefined): string {
	if (response === undefined) return '';
	if (response.kind !== 'list') return `return new ${typeOf(response)}();`;
	return `return new Array<${typeOf(response.of)}>();`;
}

const constructorLine = (name: string) =>
	`    public constructor(init?: Partial<${name}>) { (Object as any).assign(this, init); }`;

class Writer {
	readonly #name: (name: string) => string;

	constructor(casing: 'camelCase' | 'PascalCase') {
		this.#name = casing === 'camelCase' ? camelCase : (name) => name;
	}

	#property({ name, type, isRequired }: Property): string {
		return `    public ${this.#name(name)}${isRequired ? '' : '?'}: ${typeOf(type)};`;
	}

	class({ name, properties }: Class): string {
		return [
			`export class ${name}`,
			'{',
			...properties.map((one) => this.#property(one)),
			'',
			constructorLine(name),
			'}',
		].join('\n');
	}

	operation({ request, method, routes, response }: Described): string {
		const marker = response ? `IReturn<${typeOf(response)}>` : 'IReturnVoid';
		return [
			...routes.map((path) => `// @Route("${path}", "${method}")`),
			`export class ${request.name} implements ${marker}`,
			'{',
			...request.properties.map((one) => this.#property(one)),
			'',
			constructorLine(request.name),
			`    public getTypeName() { return '${request.name}'; }`,
			`    public getMethod() { return '${method}'; }`,
			`    public createResponse() { ${constructorOf(response)} }`,
			'}',
		].join('\n');
	}
}

const enumOf = ([name, values]: [string, string[]]) =>
	[`export enum ${name}`, '{', ...values.map((one) => `    ${one} = '${one}',`), '}'].join('\n');

/** The content of `/types/typescript`. */
export function typescriptTypes(
	{ operations, types }: Model,
	baseUrl: string,
	casing: 'camelCase' | 'PascalCase',
): string {
	const writer = new Writer(casing);
	return [
		['/* Options:', 'Version: 6.110', `BaseUrl: ${baseUrl}`, '*/'].join('\n'),
		'export interface IReturn<T>\n{\n    createResponse(): T;\n}',
		'export interface IReturnVoid\n{\n    createResponse(): void;\n}',
		...[...types.enums].map(enumOf),
		...[...types.classes.values()].map((one) => writer.class(one)),
		...operations.map((one) => writer.operation(one)),
		'',
	].join('\n\n');
}
