/** What ServiceStack says of its request types, where a service has not switched it off. */
import type { Endpoint, Field } from './contract.mts';
import { requestFields } from './requestTypes.mts';
import type { Settings } from './settings.mts';

const TYPES: Record<string, string> = {
	int: 'number',
	money: 'number',
	bool: 'boolean',
	text: 'string',
};

const declarationOf = ({ wireName, type, isList }: Field) =>
	`\tpublic ${wireName[0]!.toLowerCase()}${wireName.slice(1)}: ${TYPES[type] ?? type}${isList ? '[]' : ''};\n`;

/** The page `/types/typescript`: every request type as a class. */
export const typescriptPage = (endpoints: readonly Endpoint[], settings: Settings): string =>
	endpoints
		.map((endpoint) => {
			const members = requestFields(endpoint, settings).map(declarationOf).join('');
			return `// @Route("${endpoint.path}", "${endpoint.method}")\nexport class ${endpoint.requestType}\n{\n${members}}\n`;
		})
		.join('\n');
