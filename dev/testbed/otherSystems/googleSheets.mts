/**
 * Google's Sheets API (v4) with one spreadsheet, as far as n8n's node uses it
 * (https://developers.google.com/workspace/sheets/api/reference/rest).
 */
import type { Json } from '../../simulator/contract.mts';
import { declarationOf, Refusal, webService } from './system.mts';

const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const PATH = `/v4/spreadsheets/${SPREADSHEET}`;
const PURCHASES = 'Purchase List';

/** The value of a cell; null in a request leaves it unchanged. */
type Cell = string | number | null;

/** A Google account with one spreadsheet. */
export function createGoogleSheets() {
	const cells: Cell[][] = [];
	const sheets: Record<string, Cell[][]> = { [PURCHASES]: cells, Clients: [], Parts: [] };
	/** All titles that there were; the place of a title is the ID of the sheet. */
	const titles = Object.keys(sheets);
	const { length: atStart } = titles;

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

	const clear = (range: string) => {
		const { sheet, row, column, lastRow, lastColumn } = place(range);
		for (const values of sheet.slice(row, lastRow + 1)) {
			for (let at = column; at < Math.min(values.length, lastColumn + 1); at += 1) values[at] = '';
		}
		// Google shows no rows behind the last one with a value.
		while (sheet.length > 0 && sheet.at(-1)!.every((cell) => cell === '')) sheet.pop();
		return { clearedRange: range };
	};

	const append = (range: string, values: Cell[][]) => {
		const { title, sheet } = place(range);
		return write(`${title}!A${sheet.length + 1}`, values);
	};

	const propertiesOf = (title: string) => ({
		sheetId: titles.indexOf(title),
		title,
		index: Object.keys(sheets).indexOf(title),
		sheetType: 'GRID',
		gridProperties: { rowCount: 1000, columnCount: 26 },
	});

	/** The changes of a sheet as a whole. */
	const changes: Record<string, (change: Json) => object> = {
		// Rows are there when something is written into them.
		appendDimension: () => ({}),
		addSheet({ properties: { title } }) {
			sheets[title] = [];
			titles.push(title);
			return { addSheet: { properties: propertiesOf(title) } };
		},
		deleteSheet({ sheetId }) {
			Reflect.deleteProperty(sheets, titles[sheetId]!);
			return {};
		},
		deleteDimension({ range: { sheetId, dimension, startIndex, endIndex } }) {
			const sheet = sheets[titles[sheetId]!]!;
			const lists: unknown[][] = dimension === 'ROWS' ? [sheet] : sheet;
			for (const list of lists) list.splice(startIndex, endIndex - startIndex);
			return {};
		},
	};

	const rows = (title = PURCHASES): Record<string, Cell>[] => {
		const [names = [], ...filled] = sheets[title]!;
		return filled.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	};

	const webViewLink: string = declarationOf('googleSheets').settings['Spreadsheet URL'];
	const service = webService('googleSheets', {
		records: sheets,
		shown: () => Object.fromEntries(Object.keys(sheets).map((title) => [title, rows(title)])),
		fill(start: Record<string, Cell[][]>) {
			for (const title of titles.splice(atStart)) Reflect.deleteProperty(sheets, title);
			for (const [title, values] of Object.entries(start)) sheets[title]!.push(...values);
		},
		routes: {
			'GET /drive/v3/files': () => ({
				files: [{ id: SPREADSHEET, name: 'Cedar & Coil', webViewLink }],
			}),
			[`GET ${PATH}`]: () => ({
				sheets: Object.keys(sheets).map((title) => ({ properties: propertiesOf(title) })),
			}),
			[`POST ${PATH}\\:batchUpdate`]: ({ body }) => ({
				replies: body.requests
					.flatMap(Object.entries<Json>)
					.map(([kind, change]: [string, Json]) => changes[kind]!(change)),
			}),
			[`GET ${PATH}/values/:range`]: (_asked, { range }) => read(range!),
			[`PUT ${PATH}/values/:range`]: ({ body }, { range }) => write(range!, body.values),
			[`POST ${PATH}/values/:range\\:append`]: ({ body }, { range }) => append(range!, body.values),
			[`POST ${PATH}/values/:range\\:clear`]: (_asked, { range }) => clear(range!),
			[`POST ${PATH}/values\\:batchUpdate`]: ({ body: { data } }) => {
				for (const { range, values } of data) write(range, values);
				return { totalUpdatedCells: data.length };
			},
		},
	});
	return {
		...service,
		/** The URL of the purchase list. */
		cells,
		sheets,
		/** The rows by the names in the first one. */
		rows,
	};
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
