/**
 * Google's Sheets API (v4) with one spreadsheet, as far as n8n's node uses it
 * (https://developers.google.com/workspace/sheets/api/reference/rest).
 */
import { Refusal, webService } from './system.mts';

const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const PATH = `/v4/spreadsheets/${SPREADSHEET}`;
const PURCHASES = 'Purchase List';

/** The value of a cell; null in a request leaves it unchanged. */
type Cell = string | number | null;

export function createGoogleSheets() {
	const sheets: Record<string, Cell[][]> = { [PURCHASES]: [], Clients: [], Parts: [] };

	const place = (range: string) => {
		const parsed = parse(range);
		const sheet = sheets[parsed.title];
		if (sheet) return { ...parsed, sheet };
		throw new Refusal(400, { error: { code: 400, message: `Unable to parse range: ${range}` } });
	};

	const read = (range: string) => {
		const { sheet, row, column, lastRow, lastColumn } = place(range);
		const found = sheet
			.slice(row, lastRow + 1)
			.map((values) => values.slice(column, lastColumn + 1).map((cell) => cell ?? ''));
		// Google leaves it out when there is nothing.
		return { range, majorDimension: 'ROWS', ...(found.length > 0 && { values: found }) };
	};

	const write = (range: string, values: Cell[][]) => {
		const { sheet, row, column } = place(range);
		for (const [index, written] of values.entries()) {
			const present = (sheet[row + index] ??= []);
			for (const [offset, cell] of written.entries()) {
				if (cell !== null) present[column + offset] = cell;
			}
		}
		return { updatedRange: range };
	};

	const append = (range: string, values: Cell[][]) => {
		const { title, sheet } = place(range);
		return write(`${title}!A${sheet.length + 1}`, values);
	};

	/** The rows by the names in the first one. */
	const rows = (title = PURCHASES): Record<string, Cell>[] => {
		const [names = [], ...filled] = sheets[title]!;
		return filled.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	};

	const service = webService('googleSheets', {
		records: sheets,
		shown: () => Object.fromEntries(Object.keys(sheets).map((title) => [title, rows(title)])),
		fill(start: Record<string, Cell[][]>) {
			for (const [title, values] of Object.entries(start)) sheets[title]!.push(...values);
		},
		routes: {
			'GET /drive/v3/files': () => {
				const webViewLink = `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit`;
				return { files: [{ id: SPREADSHEET, name: 'Cedar & Coil', webViewLink }] };
			},
			[`GET ${PATH}`]: () => ({
				sheets: Object.keys(sheets).map((title, index) => ({
					properties: {
						...{ sheetId: index, title, index, sheetType: 'GRID' },
						gridProperties: { rowCount: 1000, columnCount: 26 },
					},
				})),
			}),
			// Adds rows, which are there when something is written into them.
			[`POST ${PATH}\\:batchUpdate`]: ({ body }) => ({ replies: body.requests.map(() => ({})) }),
			[`GET ${PATH}/values/:range`]: (_asked, { range }) => read(range!),
			[`PUT ${PATH}/values/:range`]: ({ body }, { range }) => write(range!, body.values),
			[`POST ${PATH}/values/:range\\:append`]: ({ body }, { range }) => append(range!, body.values),
			[`POST ${PATH}/values\\:batchUpdate`]: ({ body: { data } }) => {
				for (const { range, values } of data) write(range, values);
				return { totalUpdatedCells: data.length };
			},
		},
	});
	return { ...service, sheets, rows };
}

/** Reads a range in A1 notation, such as `Purchase List!A2:J9`; the whole sheet without cells. */
function parse(range: string) {
	const [, title = '', first, row, last, lastRow] =
		/^'?(.*?)'?(?:!([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?)?$/.exec(range) ?? [];
	return {
		title,
		row: Number(row || 1) - 1,
		column: first ? columnOf(first) : 0,
		lastRow: lastRow ? Number(lastRow) - 1 : Infinity,
		lastColumn: last ? columnOf(last) : Infinity,
	};
}

const columnOf = (letters: string) =>
	[...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
