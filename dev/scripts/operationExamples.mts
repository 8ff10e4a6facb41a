/** Writes an operation's example: the node to paste, its requests, and its output. */
import type { Recorded } from './recordedCall.mts';
import type { Declared } from './declared.mts';

const isTelling = ({ example }: Declared) =>
	Object.entries(example).some(([name, value]) => !isRecordId(name, value));

const isRecordId = (name: string, value: unknown) =>
	/Ids?$/.test(name) && (Array.isArray(value) || typeof value === 'object');

/** Writes the node with example values as n8n copies it; empty if it would contain only IDs. */
export function exampleNode(declared: Declared): string {
	if (!isTelling(declared)) return '';
	const { resource, operation, declaration, example } = declared;
	const node = { type: 'n8n-nodes-portal-io.portalIo', typeVersion: 1, position: [0, 0] };
	const head = JSON.stringify({ name: declaration.action, ...node }).slice(0, -1);
	const parameters = JSON.stringify(example, null, 2)
		.replace(
			/\{\s+"__rl": true,\s+"mode": "id",\s+"value": ("[^"]*")\s+\}/g,
			'{"__rl":true,"mode":"id","value":$1}',
		)
		.replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_all, list: string) => `[${list.replace(/\n\s+/g, ' ')}]`);
	const choice = JSON.stringify({ resource, operation }).slice(0, -1);
	const all = parameters === '{}' ? `${choice}}` : `${choice},${parameters.slice(1)}`;
	return `\`\`\`json\n{"nodes":[${head},"parameters":${all}}],"connections":{}}\n\`\`\``;
}

export function exampleRequests(declared: Declared): string {
	const { exampleSteps } = declared;
	const requests = exampleSteps.map(requestText);
	const subject = isTelling(declared) ? 'The example sends' : 'Sends';
	if (requests.length > 1) {
		return `${subject}:\n\n${requests.map((one, index) => `${index + 1}. ${one}`).join('\n')}`;
	}
	const file = exampleSteps[0]!.isUpload ? ', with the file as multipart' : '';
	return `${subject} ${requests[0]}${file}.`;
}

function requestText({ method, path, query = {}, form, json }: Recorded): string {
	const search = Object.entries(query)
		.flatMap(([key, value]) => [value].flat().map((one) => [key, one] as const))
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
		.join('&');
	const body =
		form && Object.keys(form).length > 0
			? `, form: \`${JSON.stringify(form)}\``
			: json
				? `, JSON: \`${JSON.stringify(json)}\``
				: '';
	return `\`${method} ${path}${search === '' ? '' : `?${search}`}\`${body}`;
}

/** Writes the example's first output item; empty if another operation shows the record. */
export function exampleOutput({ returns }: Declared): string {
	if (returns === undefined) return '';
	return `The output is an item such as:\n\n\`\`\`json\n${JSON.stringify(returns, null, 2)}\n\`\`\``;
}
