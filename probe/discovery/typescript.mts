/** Reads `/types/typescript`: the types of a ServiceStack service, with the routes in comments. */
import ts from 'typescript';
import { METHODS, type Described } from './described.mts';
import { parseType, Types, type Declaration, type TypeRef } from './types.mts';

type Declared = ts.ClassDeclaration | ts.InterfaceDeclaration;

const isDeclared = (node: ts.Node): node is Declared =>
	ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node);

function refOf(type: ts.TypeNode | undefined): TypeRef {
	if (type === undefined) return { type: 'unknown' };
	if (ts.isArrayTypeNode(type)) return { entries: refOf(type.elementType) };
	if (ts.isTypeLiteralNode(type)) return { type: 'object' };
	if (ts.isUnionTypeNode(type)) return refOf(type.types.find((one) => !ts.isLiteralTypeNode(one)));
	return parseType(type.getText());
}

const nameOf = (node: { name?: ts.Node | undefined }) => node.name?.getText() ?? '';

function fieldsOf(node: Declared) {
	const members: readonly ts.Node[] = node.members;
	return members.filter(
		(one): one is ts.PropertyDeclaration | ts.PropertySignature =>
			ts.isPropertyDeclaration(one) || ts.isPropertySignature(one),
	);
}

/** The types behind `extends` and `implements`, without those of the framework. */
const heritageOf = (node: Declared) =>
	(node.heritageClauses ?? []).flatMap(({ types }) => [...types]);

function declarationOf(node: Declared): Declaration {
	const fields = fieldsOf(node);
	const base = heritageOf(node)
		.map(({ expression }) => expression.getText())
		.find((name) => !/^I[A-Z]/.test(name));
	return {
		fields: Object.fromEntries(fields.map((one) => [nameOf(one), refOf(one.type)])),
		required: fields
			.filter(
				(one) =>
					one.questionToken === undefined && /@Required|NotEmpty|NotNull/.test(one.getFullText()),
			)
			.map(nameOf),
		base,
	};
}

/** What `IReturn<T>` names. */
function responseOf(node: Declared): TypeRef | undefined {
	const marker = heritageOf(node).find(({ expression }) => expression.getText() === 'IReturn');
	return marker && refOf(marker.typeArguments?.[0]);
}

/** The method in `getMethod() { return 'POST'; }`. */
const methodIn = (text: string) => /getMethod\(\)\s*\{\s*return\s+['"](\w+)['"]/.exec(text)?.[1];

function describe(node: Declared, types: Types): Described[] {
	const text = node.getFullText();
	const comments = text.slice(0, text.indexOf(node.getText()));
	const request = types.shapeOfFields(declarationOf(node));
	const returned = responseOf(node);
	return [...comments.matchAll(/@Route\("([^"]+)"(?:,\s*"([^"]*)")?/g)].map(([, path, verbs]) => {
		const named = (verbs ?? methodIn(text) ?? '').toUpperCase().split(/[\s,]+/);
		const known = named.filter((one) => METHODS.includes(one));
		return {
			methods: known.length === 0 ? METHODS : known,
			path: path!,
			request,
			response: returned && types.shapeOf(returned),
		};
	});
}

/** @returns undefined when the page is something else */
export function readTypescript(page: unknown): Described[] | undefined {
	if (typeof page !== 'string' || !page.includes('@Route(')) return undefined;
	const source = ts.createSourceFile('dtos.ts', page, ts.ScriptTarget.Latest, true);
	const types = new Types();
	for (const node of source.statements) {
		if (isDeclared(node)) types.declare(nameOf(node), declarationOf(node));
		else if (ts.isEnumDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
			types.declare(nameOf(node), { fields: {}, required: [], isEnum: true });
		}
	}
	return source.statements.filter(isDeclared).flatMap((node) => describe(node, types));
}
