/** `/metadata`, the list of operations, and `/json/metadata?op=`, a page for each of them. */

import type { Described, Model } from './model.mts';
import type { Class, TypeRef, Types } from './types.mts';

const page = (title: string, content: string) =>
	`<!doctype html>\n<html><head><title>${title}</title></head><body>\n${content}\n</body></html>\n`;

/** The list of operations, each with a link to its page. */
export function operationsPage({ operations }: Model, baseUrl: string): string {
	const rows = operations
		.map(({ request: { name } }) => name)
		.sort()
		.map(
			(name) =>
				`<tr><th>${name}</th><td><a href="${baseUrl}/json/metadata?op=${name}">JSON</a></td></tr>`,
		);
	return page(
		'Portal',
		[
			'<h1>Portal</h1>',
			'<p>The following operations are supported.</p>',
			'<table><caption><b>Operations</b></caption><tbody>',
			...rows,
			'</tbody></table>',
		].join('\n'),
	);
}

/** A value of a type, as the framework fills in examples. */
function sample(type: TypeRef, types: Types, depth = 0): unknown {
	switch (type.kind) {
		case 'scalar':
			if (type.name === 'String') return 'String';
			if (type.name === 'DateTime') return '0001-01-01T00:00:00.0000000Z';
			return type.name === 'Boolean' ? false : 0;
		case 'enum':
			return types.enums.get(type.name)![0];
		case 'list':
			return depth > 3 ? [] : [sample(type.of, types, depth + 1)];
		case 'texts':
			return { String: 'String' };
		case 'class':
			return sampleOf(types.classes.get(type.name)!, types, depth + 1);
	}
}

function sampleOf({ properties }: Class, types: Types, depth = 0): unknown {
	return Object.fromEntries(properties.map(({ name, type }) => [name, sample(type, types, depth)]));
}

/** Names of types as C# writes them. */
const keywords: Record<string, string> = {
	String: 'string',
	Int32: 'int',
	Int64: 'long',
	Double: 'double',
	Boolean: 'bool',
};

const typeText = (type: TypeRef): string => {
	if (type.kind === 'list') return `List&lt;${typeText(type.of)}&gt;`;
	if (type.kind === 'texts') return 'Dictionary&lt;string, string&gt;';
	return keywords[type.name] ?? type.name;
};

function parameterTable({ request, method, routes }: Described): string {
	const rows = request.properties.map(({ name, type, isRequired }) => {
		const isPath = routes.some((path) => path.toLowerCase().includes(`{${name.toLowerCase()}}`));
		const place = isPath ? 'path' : method === 'POST' ? 'body' : 'query';
		const cells = [name, place, typeText(type), isRequired ? 'Yes' : 'No'];
		return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	});
	return [
		'<table class="params"><caption><b>Parameters:</b></caption>',
		'<thead><tr><th>Name</th><th>Parameter</th><th>Data Type</th><th>Required</th></tr></thead>',
		'<tbody>',
		...rows,
		'</tbody></table>',
	].join('\n');
}

/** The page of an operation: its routes, its parameters, and example messages. */
export function operationPage(operation: Described, types: Types, host: string): string {
	const { request, method, routes, response } = operation;
	const type = 'application/json';
	const message = (value: unknown) => JSON.stringify(value).replaceAll('<', '&lt;');
	return page(
		request.name,
		[
			`<h2>${request.name}</h2>`,
			'<table class="routes"><caption>The following routes are available for this service:</caption><tbody>',
			...routes.map((path) => `<tr><th>${method}</th><th>${path}</th><td></td></tr>`),
			'</tbody></table>',
			parameterTable(operation),
			`<pre>${method} ${routes[0]} HTTP/1.1\nHost: ${host}\nAccept: ${type}`,
			...(method === 'POST'
				? [`Content-Type: ${type}\nContent-Length: length\n`, message(sampleOf(request, types))]
				: []),
			`</pre>\n<pre>HTTP/1.1 ${response ? '200 OK' : '204 No Content'}\nContent-Type: ${type}\n`,
			...(response ? [message(sample(response, types))] : []),
			'</pre>',
		].join('\n'),
	);
}
