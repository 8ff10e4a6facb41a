/**
 * The fields of each output as JSON Schema, which n8n's editor offers before a node was run:
 * `nodes/<node>/__schema__/v<version>/<resource>/<operation>.json`. A trigger has one for all events.
 */
import type { JsonType } from '../../nodes/shared/shape.ts';
import type { Declared } from './declared.mts';

export const schemaFolders = {
	node: 'nodes/PortalIo/__schema__/v1.0.0/',
	trigger: 'nodes/PortalIoTrigger/__schema__/v2.0.0/',
	pollingTrigger: 'nodes/PortalIoPollingTrigger/__schema__/v1.0.0/',
};

type Types = Record<string, JsonType>;

/** The files by their paths in the clone. */
export function outputSchemas(
	operations: Declared[],
	triggers: { trigger: Types; pollingTrigger: Types },
): Map<string, string> {
	const { node, trigger, pollingTrigger } = schemaFolders;
	return new Map([
		...operations.map(
			({ resource, operation, output }) =>
				[`${node}${resource}/${operation}.json`, schemaText(output)] as const,
		),
		[`${trigger}output.json`, schemaText(triggers.trigger)],
		[`${pollingTrigger}output.json`, schemaText(triggers.pollingTrigger)],
	]);
}

function schemaText(types: Types): string {
	const properties = Object.entries(types).map(
		([name, type]) => `\t\t${JSON.stringify(name)}: ${typeText(name, type)}`,
	);
	return `{\n\t"type": "object",\n\t"properties": {\n${properties.join(',\n')}\n\t},\n\t"version": 1\n}\n`;
}

/**
 * A record may lack any value except its IDs and what the node itself adds. The editor takes the first
 * of several types; of lists and objects only a single type.
 */
function typeText(name: string, type: JsonType): string {
	if (type === 'array' && name.endsWith('Ids')) {
		return '{ "type": "array", "items": { "type": "integer" } }';
	}
	if (type === 'integer?') return '{ "type": ["integer", "null"] }';
	const isCertain =
		type === 'array' || type === 'object' || /^(id|.*Id|success|deleted)$/.test(name);
	return isCertain ? `{ "type": "${type}" }` : `{ "type": ["${type}", "null"] }`;
}
