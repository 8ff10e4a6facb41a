/** The table of requests in `docs/portal-api.md`, written from the declarations. */
import type { Operation } from '../nodes/PortalIo/shared/operation.ts';
import { anchorOf, exampleParameters, type Registry } from './operationPages.mts';

/** The first of the IDs that stand for fields: no path holds such a number by itself. */
const FIRST_ID = 9_000_001;

/** A row for each operation: its request, the second documented path, the body, and the mark. */
export function endpointTable(registry: Registry): string {
	const rows = Object.entries(registry).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(([value, operation]) => {
			const page = `operations/${resource}.md#${anchorOf(operation)}`;
			const cells = [
				`[${name}: ${operation.name}](${page})`,
				...requestOf(resource, value, operation),
			];
			return `| ${cells.join(' | ')} |`;
		}),
	);
	return [
		'| operation | request | second path | body | mark |',
		'|---|---|---|---|---|',
		...rows,
	].join('\n');
}

function requestOf(resource: string, value: string, operation: Operation): string[] {
	const parameters = exampleParameters(resource, value, operation);
	const names = operation.fields
		.filter(({ type }) => type === 'resourceLocator')
		.map(({ name }) => name)
		.filter((name) => name in parameters);
	const ids = names.map((name, index) => [name, String(FIRST_ID + index)] as const);
	const request = operation.request(
		operation.read({ ...parameters, ...Object.fromEntries(ids) }, 'UTC'),
	);
	/** A path with the names of fields in place of their IDs. */
	const template = (path: string) =>
		ids.reduce((text, [name, id]) => text.replaceAll(id, `{${name}}`), path);
	const { method, path, alternate, form, json } = request;
	const body = operation.upload ? 'multipart' : form ? 'form' : json ? 'JSON' : '';
	return [
		`\`${method} ${template(path)}\``,
		alternate ? `\`${template(alternate.path)}\`` : '',
		body,
		operation.mark,
	];
}
