/**
 * Google's Sheets API (v4) over one sheet of one spreadsheet, as far as n8n's node uses it to append
 * or update rows (https://developers.google.com/workspace/sheets/api/reference/rest).
 */
import { Refusal, WebService, type Fields, type Records, type Route } from './system.mts';

const TOKEN = 'ya29.simulated';
const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';
const TITLE = 'Purchase List';
const GRID = { rowCount: 1000, columnCount: 26 };

/** What a cell holds; null in a request leaves it as it is. */
type Cell = string | number | null;

/** A Google account with one spreadsheet. */
export class GoogleSheets extends WebService {
	readonly name = 'Google Sheets';
	readonly hosts = ['sheets.googleapis.com'];
	protected readonly token = TOKEN;
	readonly credentials = [
		{
			name: 'Google Sheets (simulated)',
			type: 'googleSheetsOAuth2Api',
			nodes: ['n8n-nodes-base.googleSheets'],
			data: {
				clientId: 'demo-client',
				clientSecret: 'demo-client-secret',
				oauthTokenData: { access_token: TOKEN, token_type: 'Bearer' },
			},
		},
	];
	override readonly settings = {
		'Spreadsheet URL': `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit`,
	};
	readonly cells: Cell[][] = [];

	protected readonly routes: Route[] = [
		['GET', new RegExp(`^/v4/spreadsheets/${SPREADSHEET}$`), () => sheets],
		['GET', values('([^:]+(?::[^:]+)?)'), (_asked, range) => this.#read(range!)],
		['PUT', values('([^:]+(?::[^:]+)?)'), ({ body }, range) => this.#write(range!, body)],
		['POST', values('(.+):append'), ({ body }) => this.#append(body)],
		[
			'POST',
			new RegExp(`^/v4/spreadsheets/${SPREADSHEET}/values:batchUpdate$`),
			({ body }) => {
				const data = body.data as { range: string; values: Cell[][] }[];
				for (const { range, ...one } of data) this.#write(range, one);
				return { totalUpdatedCells: data.length };
			},
		],
	];

	records(): Records {
		return { [TITLE]: this.rows() };
	}

	/** The rows by the names in the first one. */
	rows(): Record<string, Cell>[] {
		const [names = [], ...rows] = this.cells;
		return rows.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	}

	protected clear(): void {
		this.cells.length = 0;
	}

	protected readonly unauthorized = () =>
		new Refusal(401, {
			error: { code: 401, status: 'UNAUTHENTICATED', message: 'No valid token' },
		});

	protected readonly notFound = () =>
		new Refusal(404, { error: { code: 404, status: 'NOT_FOUND', message: 'Not found.' } });

	#read(range: string): object {
		const { row, column, lastRow = Infinity, lastColumn = Infinity } = parse(range);
		const found = this.cells
			.slice(row, lastRow + 1)
			.map((cells) => cells.slice(column, lastColumn + 1).map((cell) => cell ?? ''));
		// Google leaves it out when there is nothing.
		return { range, majorDimension: 'ROWS', ...(found.length > 0 && { values: found }) };
	}

	#write(range: string, body: Fields): object {
		const { row, column } = parse(range);
		for (const [index, cells] of (body.values as Cell[][]).entries()) {
			this.cells[row + index] ??= [];
			for (const [offset, cell] of cells.entries()) {
				if (cell !== null) this.cells[row + index]![column + offset] = cell;
			}
		}
		return { updatedRange: range };
	}

	#append(body: Fields): object {
		return this.#write(`${TITLE}!A${this.cells.length + 1}`, body);
	}
}

const sheets = {
	sheets: [
		{ properties: { sheetId: 0, title: TITLE, index: 0, sheetType: 'GRID', gridProperties: GRID } },
	],
};

function values(range: string): RegExp {
	return new RegExp(`^/v4/spreadsheets/${SPREADSHEET}/values/${range}$`);
}

/** Reads a range in A1 notation, such as `Purchase List!A2:J9`; the whole sheet without cells. */
function parse(range: string) {
	const [, title, first = '', row, last, lastRow] =
		/^'?(.*?)'?(?:!([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?)?$/.exec(range) ?? [];
	if (title !== TITLE) {
		const message = `Unable to parse range: ${range}`;
		throw new Refusal(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message } });
	}
	return {
		row: Number(row || 1) - 1,
		column: first === '' ? 0 : columnOf(first),
		...(lastRow && { lastRow: Number(lastRow) - 1 }),
		...(last && { lastColumn: columnOf(last) }),
	};
}

const columnOf = (letter: string) => letter.charCodeAt(0) - 'A'.charCodeAt(0);
