import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export type Row = Record<string, string | number | null>;

/** Columns with the values that they must have; undefined is null. */
type Where = Record<string, SQLInputValue | undefined>;

function condition(where: Where): { sql: string; values: SQLInputValue[] } {
	const terms = Object.entries(where).map(([column, value]) =>
		value === null || value === undefined ? `${column} IS NULL` : `${column} = ?`,
	);
	const values = Object.values(where).filter((value) => value !== null && value !== undefined);
	return { sql: terms.join(' AND ') || 'TRUE', values };
}

/** The column of a field: `ContactId` and `contactId` are `contact_id`, `isPrimary` is `is_primary`. */
export const columnOf = (field: string): string =>
	field.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();

/**
 * The columns for fields: `ContactId` and `contactId` are `contact_id`, booleans are 0 or 1, and an
 * empty text is null. What is undefined is left out.
 */
export const columnsOf = (fields: object): Row =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [
				columnOf(name),
				typeof value === 'boolean' ? Number(value) : value === '' ? null : value,
			]),
	);

/** SQLite with cached prepared statements, rows as plain objects, and transactions. */
export class Database {
	private readonly sqlite = new DatabaseSync(':memory:');
	private readonly statements = new Map<string, StatementSync>();

	constructor(fill: (database: Database) => void) {
		this.sqlite.exec('PRAGMA foreign_keys = ON;');
		this.sqlite.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
		this.transaction(() => fill(this));
	}

	private prepare(sql: string): StatementSync {
		let statement = this.statements.get(sql);
		if (!statement) this.statements.set(sql, (statement = this.sqlite.prepare(sql)));
		return statement;
	}

	all(sql: string, ...parameters: SQLInputValue[]): Row[] {
		return this.prepare(sql).all(...parameters) as Row[];
	}

	/** The rows of a table or view whose columns have these values, ordered by the first one: the ID. */
	rows(table: string, where: Where = {}, order = '1'): Row[] {
		const { sql, values } = condition(where);
		return this.all(`SELECT * FROM ${table} WHERE ${sql} ORDER BY ${order}`, ...values);
	}

	row(table: string, where: Where): Row | undefined {
		return this.rows(table, where)[0];
	}

	/** Runs a statement without result rows; returns the number of changed rows and an inserted ID. */
	run(sql: string, ...parameters: SQLInputValue[]): { changes: number; id: number } {
		const { changes, lastInsertRowid } = this.prepare(sql).run(...parameters);
		return { changes: Number(changes), id: Number(lastInsertRowid) };
	}

	/** Inserts one row (booleans become 0 and 1, undefined is left out); returns its ID. */
	insert(table: string, values: Record<string, SQLInputValue | boolean | undefined>): number {
		const entries = Object.entries(values).filter(([, value]) => value !== undefined);
		const columns = entries.map(([column]) => column).join(', ');
		const marks = entries.map(() => '?').join(', ');
		const plain = entries.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value));
		return this.run(
			`INSERT INTO ${table} (${columns}) VALUES (${marks})`,
			...(plain as SQLInputValue[]),
		).id;
	}

	delete(table: string, where: Where = {}): number {
		const { sql, values } = condition(where);
		return this.run(`DELETE FROM ${table} WHERE ${sql}`, ...values).changes;
	}

	/** Sets columns of the row with this ID; an error when there is none. */
	update(table: string, id: Row[string], columns: Row): void {
		if (this.updateAll(table, { id }, columns) === 0)
			throw new Error(`no record ${id} in ${table}`);
	}

	/** Sets columns of all rows with these values; returns how many there were. */
	updateAll(table: string, where: Where, columns: Row): number {
		const { sql, values } = condition(where);
		const names = Object.keys(columns).map((column) => `${column} = ?`);
		return this.run(
			`UPDATE ${table} SET ${names.join(', ')} WHERE ${sql}`,
			...Object.values(columns),
			...values,
		).changes;
	}

	/** Runs `work` in a transaction: an error rolls everything back and is thrown again. */
	transaction<T>(work: () => T): T {
		this.sqlite.exec('BEGIN IMMEDIATE');
		try {
			const result = work();
			this.sqlite.exec('COMMIT');
			return result;
		} catch (error) {
			this.sqlite.exec('ROLLBACK');
			throw error;
		}
	}

	/** The names of all tables. SQLite's own table of counters is last, because inserts change it. */
	tables(): string[] {
		return this.all(
			`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'sqlite_sequence'`,
		).map(({ name }) => String(name));
	}

	/** Saves a copy of everything for `restore`, in place of any earlier copy, and notes what changes. */
	keep(): void {
		this.sqlite.exec('CREATE TABLE IF NOT EXISTS temp.changed (name PRIMARY KEY)');
		for (const table of this.tables()) {
			this.sqlite.exec(`DROP TABLE IF EXISTS temp.kept_${table}`);
			this.sqlite.exec(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM main.${table}`);
			if (table === 'sqlite_sequence') continue;
			for (const event of ['INSERT', 'UPDATE', 'DELETE'])
				this.sqlite.exec(
					`CREATE TEMP TRIGGER IF NOT EXISTS ${event}_${table} AFTER ${event} ON main.${table}
					BEGIN INSERT OR IGNORE INTO changed VALUES ('${table}'); END`,
				);
		}
		this.run('DELETE FROM changed');
	}

	restore(): void {
		this.transaction(() => {
			this.sqlite.exec('PRAGMA defer_foreign_keys = ON');
			const changed = this.all('SELECT name FROM changed').map(({ name }) => name);
			for (const table of [...changed, 'sqlite_sequence']) {
				this.run(`DELETE FROM main.${table}`);
				this.run(`INSERT INTO main.${table} SELECT * FROM temp.kept_${table}`);
			}
			this.run('DELETE FROM changed');
		});
	}

	close(): void {
		this.sqlite.close();
	}
}
