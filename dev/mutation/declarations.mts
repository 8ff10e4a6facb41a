/**
 * Excludes text, such as labels and error messages, and values outside functions from mutation. Such values are read
 * once, when a module is loaded, so only a run of all tests could notice a change.
 */
import { PluginKind } from '@stryker-mutator/api/plugin';

interface Path {
	node: { value?: string; properties?: { key?: { name?: string } }[] };
	parentPath: Path | null;
	isStringLiteral(): boolean;
	isLiteral(): boolean;
	getFunctionParent(): unknown;
}

const declarations = {
	shouldIgnore(path: Path) {
		if (!path.isLiteral()) return undefined;
		const isSentence = path.isStringLiteral() && /\w[.,:]? \w/.test(path.node.value ?? '');
		const siblings = path.parentPath?.parentPath?.node.properties ?? [];
		const isOfField = siblings.some(({ key }) => key?.name === 'displayName');
		const isOutside = path.getFunctionParent() === null;
		return isSentence || isOfField || isOutside ? 'A text, or a declaration' : undefined;
	},
};

export const strykerPlugins = [
	{ kind: PluginKind.Ignore, name: 'declarations', value: declarations },
];
