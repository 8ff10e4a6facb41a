/**
 * Simulates Google's Sheets API (v4) with one spreadsheet, limited to what n8n's node uses
 * (https://developers.google.com/workspace/sheets/api/reference/rest). As in Google's API, a range beyond the grid, a
 * list in a cell, and a write without its input option are errors. Empty cells at the end of a row or sheet are
 * omitted, and formatted values are strings.
 */
import { Refusal, webService } from './system.mts';

const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const PATH = `/v4/spreadsheets/${SPREADSHEET}`;
const PURCHASES = 'Purchase List';

/** Value of a cell. In a request, null leaves the cell unchanged. */
type Cell = string | number | boolean | null;

/** Size of a new sheet. */
const GRID = { rowCount: 1000, columnCount: 26 };

const invalid = (message: string) => new Refusal(400, { error: { code: 400, message } });

export function createGoogleSheets() {
	const sheets: Record<string, Cell[][]> = { [PURCHASES]: [] };
	const rowCounts = new Map<string, number>();

	const rowCount = (title: string) => rowCounts.get(title) ?? GRID.rowCount;

	const place = (range: string) => {
		const parsed = parse(range);
		const sheet = sheets[parsed.title];
		if (!sheet) throw invalid(`Unable to parse range: ${range}`);
		const isInGrid = parsed.row < rowCount(parsed.title) && parsed.column < GRID.columnCount;
		if (!isInGrid) throw invalid(`Range (${range}) exceeds grid limits.`);
		return { ...parsed, sheet };
	};

	const read = (range: string, isFormatted: boolean) => {
		const { sheet, row, column, lastRow, lastColumn } = place(range);
		const values = withoutEmptyEnd(
			sheet
				.slice(row, lastRow + 1)
				.map((cells) => withoutEmptyEnd(cells.slice(column, lastColumn + 1), isEmptyCell))
				.map((cells) => cells.map((cell) => (isFormatted ? String(cell ?? '') : (cell ?? '')))),
			(cells) => cells.length === 0,
		);
		// Omit the values if there are none, as Google does.
		return { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) };
	};

	const write = (range: string, values: Cell[][], inputOption: unknown) => {
		if (inputOption !== 'RAW' && inputOption !== 'USER_ENTERED') {
			throw invalid("'valueInputOption' is required but not specified");
		}
		const { title, sheet, row, column } = place(range);
		if (row + values.length > rowCount(title))
			throw invalid(`Range (${range}) exceeds grid limits.`);
		for (const [index, cells] of values.entries()) {
			const present = (sheet[row + index] ??= []);
			for (const [offset, cell] of cells.entries()) {
				if (typeof cell === 'object' && cell !== null) {
					throw invalid('Invalid values: list_value and struct_value are not supported in a cell');
				}
				if (cell !== null) present[column + offset] = cell;
			}
		}
		return { updatedRange: range };
	};

	const append = (range: string, values: Cell[][], inputOption: unknown) => {
		const { title, sheet } = place(range);
		rowCounts.set(title, Math.max(rowCount(title), sheet.length + values.length));
		return write(`${title}!A${sheet.length + 1}`, values, inputOption);
	};

	/** Returns the rows as records with the names in the first row. */
	const rows = (): Record<string, Cell>[] => {
		const [names = [], ...filled] = sheets[PURCHASES]!;
		return filled.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	};

	const service = webService('googleSheets', {
		records: sheets,
		shown: () => ({ [PURCHASES]: rows() }),
		fill: () => rowCounts.clear(),
		routes: {
			'GET /drive/v3/files': () => {
				const webViewLink = `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit`;
				return { files: [{ id: SPREADSHEET, name: 'Cedar & Coil', webViewLink }] };
			},
			[`GET ${PATH}`]: () => ({
				sheets: Object.keys(sheets).map((title, index) => ({
					properties: {
						sheetId: index,
						title,
						index,
						sheetType: 'GRID',
						gridProperties: { ...GRID, rowCount: rowCount(title) },
					},
				})),
			}),
			[`POST ${PATH}\\:batchUpdate`]: ({ body: { requests } }) => {
				for (const { appendDimension } of requests) {
					if (!appendDimension) continue;
					const title = Object.keys(sheets)[appendDimension.sheetId]!;
					if (appendDimension.dimension === 'ROWS') {
						rowCounts.set(title, rowCount(title) + appendDimension.length);
					}
				}
				return { replies: requests.map(() => ({})) };
			},
			[`GET ${PATH}/values/:range`]: ({ query }, { range }) =>
				// Format values by default, as Google does.
				read(range!, (query.get('valueRenderOption') ?? 'FORMATTED_VALUE') === 'FORMATTED_VALUE'),
			[`PUT ${PATH}/values/:range`]: ({ body, query }, { range }) =>
				write(range!, body.values, query.get('valueInputOption')),
			[`POST ${PATH}/values/:range\\:append`]: ({ body, query }, { range }) =>
				append(range!, body.values, query.get('valueInputOption')),
			[`POST ${PATH}/values\\:batchUpdate`]: ({ body: { data, valueInputOption } }) => {
				for (const { range, values } of data) write(range, values, valueInputOption);
				return { totalUpdatedCells: data.length };
			},
		},
	});
	return { ...service, sheets, rows };
}

const isEmptyCell = (cell: Cell | undefined) => cell === null || cell === undefined || cell === '';

function withoutEmptyEnd<T>(list: T[], isEmpty: (value: T) => boolean): T[] {
	return list.slice(0, list.findLastIndex((value) => !isEmpty(value)) + 1);
}

/** Parses a range in A1 notation, such as `Purchase List!A2:J9`. Without cells, the range is the whole sheet. */
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
