/**
 * Google's Sheets API (v4) over the sheets of one spreadsheet, as far as n8n's node uses it to read,
 * append or update rows (https://developers.google.com/workspace/sheets/api/reference/rest).
 */
import { connected, Refusal, webService } from './system.mts';

const TOKEN = 'ya29.simulated';
const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const PATH = `/v4/spreadsheets/${SPREADSHEET}`;
const PURCHASES = 'Purchase List';
const GRID = { rowCount: 1000, columnCount: 26 };

/** What a cell holds; null in a request leaves it as it is. */
type Cell = string | number | null;

/** Cells to write, from the first cell of a range. */
interface Values {
	range: string;
	values: Cell[][];
}

/** Clients and their parts, as somebody has typed them. */
const TYPED: Record<string, Cell[][]> = {
	Clients: [
		'First Name,Last Name,Email,Phone,Street,City,State,Postal Code,Proposal Name,Status,Result',
		'Harper,Nakamura,harper.nakamura@clients.example,303-555-0188,9 Aspen Ridge,Golden,CO,80401,Nakamura media room,create',
	].map((row) => row.split(',')),
	Parts: [
		['Email', 'Proposal Name', 'Area', 'Model', 'Quantity'],
		...[
			['Media room', 'Lumenfold LX77', 1],
			['Media room', 'SG-T80', 1],
			['Terrace', 'Garden 4', 6],
			['Terrace', 'Unheard 5', 1],
		].map((part) => ['harper.nakamura@clients.example', 'Nakamura media room', ...part]),
	],
};

/** A Google account with one spreadsheet. */
export function createGoogleSheets() {
	const cells: Cell[][] = [];
	const sheets: Record<string, Cell[][]> = { [PURCHASES]: cells, Clients: [], Parts: [] };

	const place = (range: string) => {
		const parsed = parse(range);
		const sheet = sheets[parsed.title];
		if (sheet) return { ...parsed, sheet };
		throw new Refusal(400, { error: { code: 400, message: `Unable to parse range: ${range}` } });
	};

	const read = (range: string) => {
		const { sheet, row, column, lastRow = Infinity, lastColumn = Infinity } = place(range);
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

	const rows = (title = PURCHASES): Record<string, Cell>[] => {
		const [names = [], ...filled] = sheets[title]!;
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
		records: sheets,
		shown: () => Object.fromEntries(Object.keys(sheets).map((title) => [title, rows(title)])),
		fill: () => {
			for (const [title, typed] of Object.entries(TYPED)) {
				sheets[title]!.push(...structuredClone(typed));
			}
		},
		routes: {
			[`GET ${PATH}`]: () => ({ sheets: Object.keys(sheets).map(sheetOf) }),
			[`GET ${PATH}/values/:range`]: (_asked, { range }) => read(range!),
			[`PUT ${PATH}/values/:range`]: ({ body }, { range }) =>
				write(range!, body.values as Cell[][]),
			[`POST ${PATH}/values/:range\\:append`]: ({ body }) =>
				write(`${PURCHASES}!A${cells.length + 1}`, body.values as Cell[][]),
			[`POST ${PATH}/values\\:batchUpdate`]: ({ body }) => {
				const data = body.data as Values[];
				for (const { range, values } of data) write(range, values);
				return { totalUpdatedCells: data.length };
			},
		},
	});
	return {
		...service,
		/** Of the purchase list. */
		cells,
		sheets,
		/** The rows by the names in the first one. */
		rows,
	};
}

const sheetOf = (title: string, index: number) => ({
	properties: { sheetId: index, title, index, sheetType: 'GRID', gridProperties: GRID },
});

/** Reads a range in A1 notation, such as `Purchase List!A2:J9`; the whole sheet without cells. */
function parse(range: string) {
	const [, title, first = '', row, last, lastRow] =
		/^'?(.*?)'?(?:!([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?)?$/.exec(range) ?? [];
	return {
		title: title ?? '',
		row: Number(row || 1) - 1,
		column: first === '' ? 0 : columnOf(first),
		...(lastRow && { lastRow: Number(lastRow) - 1 }),
		...(last && { lastColumn: columnOf(last) }),
	};
}

const columnOf = (letter: string) => letter.charCodeAt(0) - 'A'.charCodeAt(0);
