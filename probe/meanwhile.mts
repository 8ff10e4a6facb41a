/** What a user can set in the node until the package is changed. */
import { endpointOf } from './contract.mts';
import { declarationOf } from './declarations.mts';
import type { Correction, EndpointReport } from './model.mts';
import { code, joined, LISTS } from './phrases.mts';

/** What a user can do in n8n until the package is changed. */
export function meanwhileOf(one: EndpointReport): string | undefined {
	const { operation, method, path, correction } = one;
	if (correction === undefined) return undefined;
	const { node, isCorrectable } = declarationOf(operation);
	if (!isCorrectable || correction.path !== undefined || node === undefined) {
		const request = code(`${method} ${correction.path ?? path}`);
		const format = correction.format === 'json' ? ', with JSON' : ', with a form';
		const body = hasBody(operation) ? format : '';
		return `use the HTTP Request node with the *Portal.io API* credential: ${request}${body}`;
	}
	const extra = extraFields(one, correction);
	const parts = [
		...(correction.format === 'json' ? ['set *Body Format* to JSON'] : []),
		...(extra.length === 0 ? [] : [`add to *Extra Fields* ${extra.join('; ')}`]),
	];
	return `in the *Options* of *${node}*, ${joined(parts)}`;
}

const hasBody = (operation: string) => ['form', 'json'].includes(endpointOf(operation).format);

function extraFields({ operation }: EndpointReport, correction: Correction): string[] {
	const { format, names, lists, values = {} } = correction;
	const top = Object.entries(names).filter(([ours]) => !ours.includes('.'));
	const inner = Object.entries(names).filter(([ours]) => ours.includes('[].'));
	const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
	const own = (name: string) => names[name] ?? (format === 'json' ? lowerFirst(name) : name);
	const parents = [...new Set(inner.map(([ours]) => ours.split('[].')[0]!))];
	const fields = endpointOf(operation).fields;
	const isList = (name: string) => lists !== undefined && fields[name]?.type === 'array';
	return [
		...top
			.filter(([ours]) => !parents.includes(ours) && !isList(ours) && !(ours in values))
			.map(([ours, theirs]) => `${code(theirs)} with what ${code(ours)} has`),
		...parents.map((parent) => {
			const entry = inner
				.filter(([ours]) => ours.startsWith(`${parent}[].`))
				.map(([ours, theirs]) => `${code(theirs)} instead of ${code(ours.split('[].')[1]!)}`);
			return `${code(own(parent))} with the list as JSON, in which ${joined(entry)}`;
		}),
		...Object.keys(fields)
			.filter(isList)
			.map((name) => `${code(own(name))} with the list as ${LISTS[lists!]}`),
		...Object.entries(values).map(
			([name, by]) => `${code(own(name))} with ${joined(Object.values(by).map(code))}`,
		),
	];
}
