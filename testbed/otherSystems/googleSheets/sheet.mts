/** One sheet of a spreadsheet: its cells, and ranges in A1 notation. */

/** What a cell holds; null in a request leaves it as it is. */
export type Cell = string | number | boolean | null | undefined;

/** Part of a sheet. Rows count from 1, as people see them; columns from 0. */
export interface Box {
	firstRow: number;
	firstColumn: number;
	lastRow?: number;
	lastColumn?: number;
}

const columnIndex = (letters: string) =>
	[...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const isEmpty = (cell: Cell) => cell === undefined || cell === null || cell === '';

/** A sheet; new ones have a thousand rows, as Google's have. */
export class Sheet {
	readonly id: number;
	readonly title: string;
	rowCount = 1000;
	columnCount = 26;
	readonly #rows: Cell[][] = [];

	constructor(id: number, title: string) {
		this.id = id;
		this.title = title;
	}

	/** The part of this sheet that a range in A1 notation means; undefined if it means another. */
	parse(range: string): Box | undefined {
		const [quoted = '', cells] = range.split('!');
		if (quoted.replace(/^'(.*)'$/, '$1') !== this.title) return undefined;
		if (cells === undefined) return { firstRow: 1, firstColumn: 0 };
		const match = /^([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?$/.exec(cells);
		if (!match) return undefined;
		const [, column = '', row = '', endColumn = column, endRow = row] = match;
		return {
			firstRow: Number(row || 1),
			firstColumn: column === '' ? 0 : columnIndex(column),
			...(endRow !== '' && { lastRow: Number(endRow) }),
			...(endColumn !== '' && { lastColumn: columnIndex(endColumn) }),
		};
	}

	/** The values of a part, without the empty cells and rows at its end. */
	read({ firstRow, firstColumn, lastRow, lastColumn = this.columnCount - 1 }: Box): Cell[][] {
		const rows = this.#rows.slice(firstRow - 1, lastRow).map((row = []) => {
			const cells = Array.from(row.slice(firstColumn, lastColumn + 1));
			return cells.slice(0, cells.findLastIndex((cell) => !isEmpty(cell)) + 1);
		});
		return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
	}

	/** Writes values from the first cell of a part on. */
	write({ firstRow, firstColumn }: Box, values: Cell[][]): void {
		for (const [index, cells] of values.entries()) {
			const row = firstRow - 1 + index;
			while (this.#rows.length <= row) this.#rows.push([]);
			for (const [offset, cell] of cells.entries()) {
				if (cell !== null) this.#rows[row]![firstColumn + offset] = cell;
			}
		}
	}

	/**
	 * Where values are appended: below the table that the row belongs to, or in the row itself when
	 * nothing is there (*assumed*: Google's page says so only for ranges that hold a table).
	 */
	firstRowAfterTable(row: number): number {
		let free = row;
		while ((this.#rows[free - 1] ?? []).some((cell) => !isEmpty(cell))) free++;
		return free;
	}

	/** The rows by the names in the first one. */
	records(): Record<string, Cell>[] {
		const [names = [], ...rows] = this.read({ firstRow: 1, firstColumn: 0 });
		return rows.map((row) =>
			Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? ''])),
		);
	}
}
