import type { Operation } from '../contract.mts';
import { entryOf } from './fields.mts';
import type { OtherService } from './settings.mts';

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Which of an operation's forms a path stands for: one whose parameters it has, else the first. */
function formFor(path: string, forms: Operation[]): Operation {
	const has = parametersOf(path);
	const fits = (one: Operation) => parametersOf(one.path).every((name) => has.includes(name));
	return forms.find(fits) ?? forms[0]!;
}

/** The operations with this service's paths. */
export function theirRoutes(operations: Operation[], { paths = {} }: OtherService): Operation[] {
	const at = (path: string, one: Operation) => ({ ...one, path, segments: path.split('/') });
	return operations.flatMap((operation) => {
		const path = paths[operation.name];
		if (operation.isAlternate && paths[operation.id]) return [at(paths[operation.id]!, operation)];
		if (path === undefined) return [operation];
		const forms = operations.filter((one) => one.name === operation.name);
		return formFor(path, forms) === operation ? [at(path, operation)] : [];
	});
}

/** The values of the parameters in a path, by name. */
export function pathValues({ segments }: Operation, path: string): [string, string][] {
	const sent = path.split('/');
	return segments.flatMap((segment, index): [string, string][] =>
		segment.startsWith('{') ? [[segment.slice(1, -1), decode(sent[index]!)]] : [],
	);
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The contract's path of an operation with the values of its parameters. */
export function contractPath(operation: Operation, values: Record<string, string>): string {
	return entryOf(operation).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
		encodeURIComponent(values[name] ?? '0'),
	);
}
