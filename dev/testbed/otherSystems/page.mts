/** The page on which a person sees what the stand-in of another system holds. */
import { Eta } from 'eta';

const eta = new Eta();

const template = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title><%= it.name %> (simulated)</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
h2 { margin-top: 2rem; font-size: 1.1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td { white-space: pre-wrap; }
</style>
</head>
<body>
<h1><%= it.name %> (simulated)</h1>
<p>What the workflows have written here, newest first. Nothing of it leaves this computer. Reload the page to see changes.</p>
<% for (const { kind, columns, rows } of it.tables) { %>
<h2><%= kind %> (<%= rows.length %>)</h2>
<% if (rows.length > 0) { %>
<table>
<tr><% for (const column of columns) { %><th><%= column %></th><% } %></tr>
<% for (const row of rows) { %>
<tr><% for (const column of columns) { %><td><%= row[column] ?? '' %></td><% } %></tr>
<% } %>
</table>
<% } %>
<% } %>
</body>
</html>
`;

/** Writes the page: a table for each kind of record. */
export function recordsPage(name: string, records: Record<string, object[]>): string {
	const tables = Object.entries(records).map(([kind, list]) => ({
		kind,
		columns: [...new Set(list.flatMap((record) => Object.keys(record)))],
		rows: list.toReversed().map(readable),
	}));
	return eta.renderString(template, { name, tables });
}

const readable = (record: object) =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, textOf(value)]));

/** A list has a line for each entry, an object its fields with their names. */
function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(textOf).join('\n');
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value);
	return Object.entries(value)
		.map(([key, inner]) => `${key}: ${textOf(inner)}`)
		.join(', ');
}
