/**
 * Google's Sheets API (v4) as far as n8n's Google Sheets node uses it, over one spreadsheet, and
 * Google's token endpoint.
 */
import express, { type Express, type Request, type Response } from 'express';
import { AccessTokens } from './accessTokens.mts';
import { Sheet, type Cell } from './googleSheets/sheet.mts';
import { OtherSystem, type Records } from './system.mts';

/** A refusal of Google's. */
class Refusal extends Error {
	readonly code: number;
	readonly status: string;

	constructor(code: number, status: string, message: string) {
		super(message);
		this.code = code;
		this.status = status;
	}
}

const notFound = () => new Refusal(404, 'NOT_FOUND', 'Requested entity was not found.');
const invalid = (message: string) => new Refusal(400, 'INVALID_ARGUMENT', message);

const SPREADSHEET = '1SimulatedSpreadsheetOfCedarAndCoil012345678';

/** A Google account with one spreadsheet. */
export class GoogleSheets extends OtherSystem {
	readonly name = 'Google Sheets';
	readonly hosts = ['sheets.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com'];
	readonly tokens = new AccessTokens({
		first: 'ya29.simulated',
		refreshToken: '1//simulated-refresh',
		prefix: 'ya29.',
		tokenType: 'Bearer',
		lifetime: 3599,
		moreOfRefusal: { error_description: 'Bad Request' },
	});
	readonly credentials = [
		{
			name: 'Google Sheets (simulated)',
			type: 'googleSheetsOAuth2Api',
			nodes: ['n8n-nodes-base.googleSheets'],
			data: this.tokens.credential,
		},
	];
	readonly spreadsheetUrl = `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit`;
	override readonly settings = { 'Spreadsheet URL': this.spreadsheetUrl };
	#sheets: Sheet[] = [];

	constructor() {
		super();
		this.clear();
	}

	protected clear(): void {
		this.#sheets = [new Sheet(0, 'Purchase List'), new Sheet(814_220, 'Notes')];
		this.tokens.reset();
	}

	/** The rows of each sheet by the names of their columns. */
	records(): Records {
		return Object.fromEntries(this.#sheets.map((sheet) => [sheet.title, sheet.records()]));
	}

	/** The sheet in which the tests look and write as a person does. */
	get purchaseList(): Sheet {
		return this.#sheets[0]!;
	}

	protected addRoutes(app: Express): void {
		app.use(express.json({ limit: '10mb' }), express.urlencoded({ extended: false }));
		app.post('/token', this.tokens.renew);
		app.use((request, response, next) => this.#authenticate(request, response, next));
		app.get(
			'/drive/v3/files',
			this.#answer(() => this.#files()),
		);
		const one = '/v4/spreadsheets/:id';
		app.get(
			one,
			this.#answer(() => this.#properties()),
		);
		app.post(
			`${one}\\:batchUpdate`,
			this.#answer(({ body }) => this.#change(body.requests)),
		);
		app.get(
			`${one}/values/:range`,
			this.#answer(({ query }, range) => this.#read(range, query)),
		);
		app.put(
			`${one}/values/:range`,
			this.#answer(({ body, query }, range) => this.#write(range, body.values, query)),
		);
		app.post(
			`${one}/values\\:batchUpdate`,
			this.#answer(({ body }) => this.#writeAll(body)),
		);
		app.post(
			`${one}/values/:range\\:append`,
			this.#answer(({ body, query }, range) => this.#append(range, body.values, query)),
		);
		app.use(() => {
			throw notFound();
		});
		app.use((error: Refusal, _request: Request, response: Response, _next: unknown) => {
			const { code = 500, status = 'INTERNAL', message } = error;
			response.status(code).json({ error: { code, message, status } });
		});
	}

	#authenticate({ headers }: Request, _response: Response, next: (error?: unknown) => void): void {
		if (this.tokens.accepts(headers.authorization)) return next();
		next(
			new Refusal(
				401,
				'UNAUTHENTICATED',
				'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
			),
		);
	}

	#answer(work: (request: Request, range: string) => object) {
		return (request: Request, response: Response) => {
			const { id = SPREADSHEET, range = '' } = request.params;
			if (id !== SPREADSHEET) throw notFound();
			response.json(work(request, String(range)));
		};
	}

	#files() {
		const mimeType = 'application/vnd.google-apps.spreadsheet';
		return {
			files: [{ id: SPREADSHEET, name: 'Purchasing', mimeType, webViewLink: this.spreadsheetUrl }],
		};
	}

	#properties() {
		return {
			sheets: this.#sheets.map(({ id: sheetId, title, rowCount, columnCount }, index) => ({
				properties: {
					sheetId,
					title,
					index,
					sheetType: 'GRID',
					gridProperties: { rowCount, columnCount },
				},
			})),
		};
	}

	#change(
		requests: { appendDimension?: { sheetId: number; dimension: string; length: number } }[],
	) {
		for (const { appendDimension: added } of requests) {
			const sheet = this.#sheets.find(({ id }) => id === Number(added?.sheetId));
			if (!added || !sheet) throw invalid('Invalid requests[0]: No request set.');
			if (added.dimension === 'ROWS') sheet.rowCount += added.length;
			else sheet.columnCount += added.length;
		}
		return { spreadsheetId: SPREADSHEET, replies: requests.map(() => ({})) };
	}

	#read(range: string, { valueRenderOption = 'FORMATTED_VALUE' }: Request['query']) {
		const { sheet, box } = this.#find(range);
		const values = sheet.read(box);
		const shown = (cell: Cell) =>
			valueRenderOption === 'FORMATTED_VALUE' ? String(cell ?? '') : (cell ?? '');
		return {
			range,
			majorDimension: 'ROWS',
			// Google leaves it out when there is nothing.
			...(values.length > 0 && { values: values.map((row) => row.map(shown)) }),
		};
	}

	#write(range: string, values: Cell[][], { valueInputOption }: { valueInputOption?: unknown }) {
		const { sheet, box } = this.#find(range);
		const checked = this.#entered(values, valueInputOption);
		const lastRow = box.firstRow + values.length - 1;
		if (lastRow > sheet.rowCount) {
			throw invalid(
				`Range (${range}) exceeds grid limits. Max rows: ${sheet.rowCount}, max columns: ${sheet.columnCount}`,
			);
		}
		sheet.write(box, checked);
		return { spreadsheetId: SPREADSHEET, updatedRange: range, updatedRows: values.length };
	}

	#writeAll(body: { data: { range: string; values: Cell[][] }[]; valueInputOption?: unknown }) {
		for (const { range, values } of body.data) this.#write(range, values, body);
		return { spreadsheetId: SPREADSHEET, totalUpdatedCells: body.data.length };
	}

	#append(range: string, values: Cell[][], { valueInputOption }: Request['query']) {
		const { sheet, box } = this.#find(range);
		const firstRow = sheet.firstRowAfterTable(box.firstRow);
		sheet.rowCount = Math.max(sheet.rowCount, firstRow + values.length - 1);
		sheet.write({ firstRow, firstColumn: 0 }, this.#entered(values, valueInputOption));
		return {
			spreadsheetId: SPREADSHEET,
			updates: { updatedRange: `${sheet.title}!A${firstRow}`, updatedRows: values.length },
		};
	}

	#find(range: string) {
		const found = this.#sheets
			.map((sheet) => ({ sheet, box: sheet.parse(range) }))
			.find(({ box }) => box !== undefined);
		if (!found) throw invalid(`Unable to parse range: ${range}`);
		return { sheet: found.sheet, box: found.box! };
	}

	#entered(values: Cell[][], option: unknown): Cell[][] {
		if (option !== 'RAW' && option !== 'USER_ENTERED') {
			throw invalid("'valueInputOption' is required but not specified");
		}
		if (option === 'RAW') return values;
		// As if somebody typed it: "3E10" becomes a number. Dates and formulas are not played.
		return values.map((row) =>
			row.map((cell) =>
				typeof cell === 'string' && cell.trim() !== '' && Number.isFinite(Number(cell))
					? Number(cell)
					: cell,
			),
		);
	}
}
