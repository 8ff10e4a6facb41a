/**
 * Google's Sheets API (v4) over one sheet of one spreadsheet, as far as n8n's node uses it to append
 * or update rows (https://developers.google.com/workspace/sheets/api/reference/rest).
 */
import { connected, Refusal, webService } from './system.mts';

const TOKEN = 'ya29.simulated';
const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const PATH = `/v4/spreadsheets/${SPREADSHEET}`;
const TITLE = 'Purchase List';
const GRID = { rowCount: 1000, columnCount: 26 };

/** What a cell holds; null in a request leaves it as it is. */
type Cell = string | number | null;

/** Cells to write, from the first cell of a range. */
interface Values {
	range: string;
	values: Cell[][];
}

/** A Google account with one spreadsheet. */
export function createGoogleSheets() {
	const cells: Cell[][] = [];

	const read = (range: string) => {
		const { row, column, lastRow = Infinity, lastColumn = Infinity } = parse(range);
		const found = cells
			.slice(row, lastRow + 1)
			.map((values) => values.slice(column, lastColumn + 1).map((cell) => cell ?? ''));
		// Google leaves it out when there is nothing.
		return { range, majorDimension: 'ROWS', ...(found.length > 0 && { values: found }) };
	};

	const write = (range: string, values: Cell[][]) => {
		const { row, column } = parse(range);
		for (const [index, written] of values.entries()) {
			const present = (cells[row + index] ??= []);
			for (const [offset, cell] of written.entries()) {
				if (cell !== null) present[column + offset] = cell;
			}
		}
		return { updatedRange: range };
	};

	const rows = (): Record<string, Cell>[] => {
		const [names = [], ...filled] = cells;
		return filled.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	};

	const service = webService({
		name: 'Google Sheets',
		host: 'sheets.googleapis.com',
		token: TOKEN,
		credential: {
			type: 'googleSheetsOAuth2Api',
			node: 'n8n-nodes-base.googleSheets',
			data: connected(TOKEN),
		},
		settings: { 'Spreadsheet URL': `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit` },
		records: { [TITLE]: cells },
		shown: () => ({ [TITLE]: rows() }),
		routes: {
			[`GET ${PATH}`]: () => ({ sheets: [{ properties: sheet }] }),
			[`GET ${PATH}/values/:range`]: (_asked, { range }) => read(range!),
			[`PUT ${PATH}/values/:range`]: ({ body }, { range }) =>
				write(range!, body.values as Cell[][]),
			[`POST ${PATH}/values/:range\\:append`]: ({ body }) =>
				write(`${TITLE}!A${cells.length + 1}`, body.values as Cell[][]),
			[`POST ${PATH}/values\\:batchUpdate`]: ({ body }) => {
				const data = body.data as Values[];
				for (const { range, values } of data) write(range, values);
				return { totalUpdatedCells: data.length };
			},
		},
	});
	return {
		...service,
		cells,
		/** The rows by the names in the first one. */
		rows,
	};
}

const sheet = { sheetId: 0, title: TITLE, index: 0, sheetType: 'GRID', gridProperties: GRID };

/** Reads a range in A1 notation, such as `Purchase List!A2:J9`; the whole sheet without cells. */
function parse(range: string) {
	const [, title, first = '', row, last, lastRow] =
		/^'?(.*?)'?(?:!([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?)?$/.exec(range) ?? [];
	if (title !== TITLE) {
		throw new Refusal(400, { error: { code: 400, message: `Unable to parse range: ${range}` } });
	}
	return {
		row: Number(row || 1) - 1,
		column: first === '' ? 0 : columnOf(first),
		...(lastRow && { lastRow: Number(lastRow) - 1 }),
		...(last && { lastColumn: columnOf(last) }),
	};
}

const columnOf = (letter: string) => letter.charCodeAt(0) - 'A'.charCodeAt(0);
