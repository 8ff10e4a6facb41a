/** Reads CSV files as n8n writes them (RFC 4180, with a byte order mark in front). */

/** The rows of a CSV file whose first row names the columns; every value is text. */
export function parseCsv(text: string): Record<string, string>[] {
	const [header = [], ...rows] = splitCsv(text.replace(/^\uFEFF/, ''));
	return rows.map((row) =>
		Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])),
	);
}

function splitCsv(text: string): string[][] {
	const rows: string[][] = [];
	let row: string[] = [];
	// A value, then what ends it: a comma, the end of the line, or the end of the text.
	const value = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
	for (;;) {
		const match = value.exec(text);
		if (!match) throw new Error('This is not CSV.');
		row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
		if (match[3] === ',') continue;
		rows.push(row);
		row = [];
		// The file may or may not end with the end of a line.
		if (value.lastIndex >= text.length) return rows;
	}
}
