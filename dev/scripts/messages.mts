/**
 * `npm run messages`: prints every text that a user can read, to be read in one go: labels,
 * descriptions, hints, notices, errors and log lines of the published sources, the texts of *Tool
 * Description*, and the notes of the examples. An expression inside a text is shown as `…`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { exampleNames, exampleOf } from './examples.mts';

const root = new URL('../..', import.meta.url).pathname;
const filesIn = (folder: string, suffix: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(suffix))
		.map((file) => join(folder, file))
		.toSorted();

/** Properties whose texts the editor shows even when they are a single word. */
const SHOWN = ['action', 'displayName', 'placeholder'];

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(({ literal }) => `…${literal.text}`);
	return node.head.text + spans.join('');
}

/** The texts of a source file, in order: sentences anywhere, and single words where they are shown. */
function textsOf(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), 99, true);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		const text = textOf(node);
		const { parent } = node;
		const name = parent && ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
		const isImport = parent && (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent));
		const isSentence = /\p{L}{2}\S* +\S/u.test(text ?? '') && !/^[=^]|^[a-z]+:\/\//.test(text!);
		const isChoice = name === 'name' && /^[A-Z]/.test(text ?? '');
		if (text && !isImport && (isSentence || isChoice || SHOWN.includes(name))) texts.push(text);
		else ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

const sources = ['credentials', 'client', 'nodes'].flatMap((folder) => filesIn(folder, '.ts'));
for (const file of sources) print(file, textsOf(file));
print(
	'Tool Description',
	exampleNames.flatMap((name) => exampleOf(name).forAgents ?? []),
);
for (const file of filesIn('examples', '.json')) {
	const { nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		nodes: Array<{ type: string; parameters: { content?: string } }>;
	};
	const notes = nodes.filter(({ type }) => type.endsWith('stickyNote'));
	print(
		file,
		notes.map(({ parameters }) => parameters.content ?? ''),
	);
}

function print(title: string, texts: string[]): void {
	if (texts.length === 0) return;
	console.log(`\n${title}`);
	for (const text of new Set(texts)) console.log(`  ${text.replaceAll('\n', '\n  ')}`);
}
