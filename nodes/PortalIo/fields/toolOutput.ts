import { toWords } from '../../shared/labels';
import { type Fields } from './field';
import { choice, choices } from './types';

/** Shown where the node is a tool of an AI agent. */
const IN_TOOLS = { '@tool': [true] };

/**
 * The fields of an operation, for AI agents with *Output* in the place of *Simplify*, as n8n's
 * guidelines ask: too many fields confuse a model and fill its context window.
 *
 * @param shape of the simplified output, its ID first
 */
export function withToolOutput(fields: Fields, shape: object = {}): Fields {
	const { simplify } = fields;
	const [, ...names] = Object.keys(shape);
	const inOrder = names
		.map((value) => ({ name: toWords(value), value }))
		.sort((one, other) => one.name.localeCompare(other.name));
	const entries = Object.entries(fields).flatMap(
		([name, field]): Array<[string, Fields[string]]> => {
			if (field !== simplify) return [[name, field]];
			const property = { ...field.property, displayOptions: { hide: IN_TOOLS } };
			return [
				[name, { ...field, property }],
				['output', output],
				[
					'outputFields',
					choices('Fields', inOrder, {
						displayOptions: { show: { ...IN_TOOLS, output: ['selected'] } },
					}),
				],
			];
		},
	);
	return Object.fromEntries(entries);
}

const output = choice(
	'Output',
	[
		{ name: 'Raw', value: 'raw' },
		{ name: 'Selected Fields', value: 'selected' },
		{ name: 'Simplified', value: 'simplified' },
	],
	{
		default: 'simplified',
		displayOptions: { show: IN_TOOLS },
	},
);
