/** Parts of the sentences of a report, in Markdown. */
import { endpointOf } from './contract.mts';
import type { Correction, Differences, EndpointReport } from './model.mts';

/** How a list goes over the wire, in words. */
export const LISTS = {
	repeated: 'a field for each entry',
	commas: 'one text with commas: `1,2`',
	brackets: 'one text with brackets: `[1,2]`',
};

/** Words from elsewhere in running text: no markup, no mention of somebody, no link to an issue. */
export const text = (words: string) =>
	words
		.replace(/[\\`*_{}[\]<>|~!#]/g, '\\$&')
		.replace(/[@#](?=\w)/g, '$&<!-- -->')
		.replace(/^(\d*)([-+.)])/, '$1\\$2');

export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** A name or a path in running text. */
export const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;

/** Parts of a sentence: `a, b and c`. */
export const joined = (parts: string[]) =>
	parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** What to send in place of what this package sends: `Qty` instead of `Quantity`, as JSON. */
export function instead({ operation }: EndpointReport, correction: Correction): string {
	const { format, names, lists, path, values = {} } = correction;
	const own = endpointOf(operation);
	const isSameFormat = format === own.format || !['form', 'json'].includes(own.format);
	const swapped = Object.entries(values).flatMap(([field, by]) =>
		Object.entries(by).map(
			([ours, theirs]) => `${code(theirs)} instead of ${code(ours)} in ${code(field)}`,
		),
	);
	const parts = [
		...Object.entries(names).map(([ours, theirs]) => `${code(theirs)} instead of ${code(ours)}`),
		...swapped,
		...(isSameFormat
			? []
			: [format === 'json' ? 'JSON instead of a form' : 'a form instead of JSON']),
		...(lists === undefined ? [] : [`lists as ${LISTS[lists]}`]),
	];
	const to = path === undefined ? '' : ` to ${code(path)}`;
	return `send ${joined(parts) || 'it'}${to}`;
}

/** How a response differs from the contract; what is new does no harm. */
export const differencesInWords = ({ absent, types }: Differences): string[] => [
	...(absent.length === 0 ? [] : [`the response does not have ${joined(absent.map(code))}`]),
	...(types.length === 0 ? [] : [`the response has other values: ${types.map(code).join(', ')}`]),
];
