/** Spares functions, which have a run of their own, and what people read. */
import { PluginKind } from '@stryker-mutator/api/plugin';

interface Path {
	key: unknown;
	node: { value?: unknown; key?: { name?: string; value?: string } };
	parentPath: Path | null;
	isStringLiteral(): boolean;
	isTemplateLiteral(): boolean;
	isObjectProperty(): boolean;
	isCallExpression(): boolean;
	getFunctionParent(): unknown;
}

/** Names of properties whose values people read. */
const LABELS = ['action', 'description', 'displayName', 'hint', 'label', 'name', 'placeholder'];

const functionsAndLabels = {
	shouldIgnore(path: Path) {
		if (path.getFunctionParent() !== null) return 'In a function';
		if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
		const { parentPath: parent } = path;
		const isLabel =
			parent?.isObjectProperty() &&
			LABELS.includes(String(parent.node.key?.name)) &&
			path.key === 'value';
		// The label of a field comes first: field.text('Name').
		const isFirstArgument = parent?.isCallExpression() && path.key === 0;
		const isSentence = /\w[.,:]? \w/.test(String(path.node.value ?? ''));
		return isLabel || isFirstArgument || isSentence ? 'A label or a sentence' : undefined;
	},
};

export const strykerPlugins = [
	{ kind: PluginKind.Ignore, name: 'functionsAndLabels', value: functionsAndLabels },
];
