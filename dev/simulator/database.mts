import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export type Row = Record<string, string | number | null>;

/** Columns with the values to match; undefined matches null. */
type Where = Record<string, SQLInputValue | undefined>;

function condition(where: Where): { sql: string; values: SQLInputValue[] } {
	const terms = Object.keys(where).map((column) => `${column} IS ?`);
	const values = Object.values(where).map((value) => value ?? null);
	return { sql: terms.join(' AND ') || 'TRUE', values };
}

/** Returns a field's column. `ContactId`, `contactId`, and `contact_id` all become `contact_id`. */
export const columnOf = (field: string): string =>
	field.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();

/**
 * Returns the columns for fields. Booleans become 0 or 1, empty text becomes null, and undefined values are omitted.
 */
const columnsOf = (fields: object): Row =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [
				columnOf(name),
				typeof value === 'boolean' ? Number(value) : value === '' ? null : value,
			]),
	);

/** SQLite with cached prepared statements, plain objects as rows, and transactions. */
export class Database {
	private readonly sqlite = new DatabaseSync(':memory:');
	private readonly statements = new Map<string, StatementSync>();
	private changesAtKeep: Row[string] = 0;

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

	/**
	 * Returns the rows of a table or view whose columns have these values, by default sorted by the first column, the
	 * ID.
	 */
	rows(table: string, where: Where = {}, order = '1'): Row[] {
		const { sql, values } = condition(where);
		return this.all(`SELECT * FROM ${table} WHERE ${sql} ORDER BY ${order}`, ...values);
	}

	row(table: string, where: Where): Row | undefined {
		return this.rows(table, where)[0];
	}

	/**
	 * Runs a statement that returns no rows. Returns the number of changed rows, and the ID of the last inserted row.
	 */
	run(sql: string, ...parameters: SQLInputValue[]): { changes: number; id: number } {
		const { changes, lastInsertRowid } = this.prepare(sql).run(...parameters);
		return { changes: Number(changes), id: Number(lastInsertRowid) };
	}

	/** Inserts a row with the columns for `fields`. Returns its ID. */
	insert(table: string, fields: object): number {
		const columns = columnsOf(fields);
		const names = Object.keys(columns);
		const marks = names.map(() => '?');
		return this.run(
			`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')})`,
			...Object.values(columns),
		).id;
	}

	delete(table: string, where: Where = {}): number {
		const { sql, values } = condition(where);
		return this.run(`DELETE FROM ${table} WHERE ${sql}`, ...values).changes;
	}

	/** Sets the columns for `fields` in the row with this ID. Throws if the row does not exist. */
	update(table: string, id: Row[string], fields: object): void {
		if (this.updateAll(table, { id }, fields) === 0) throw new Error(`no record ${id} in ${table}`);
	}

	/** Sets the columns for `fields` in all rows that match `where`. Returns the number of rows. */
	updateAll(table: string, where: Where, fields: object): number {
		const { sql, values } = condition(where);
		const columns = columnsOf(fields);
		const names = Object.keys(columns).map((column) => `${column} = ?`);
		return this.run(
			`UPDATE ${table} SET ${names.join(', ')} WHERE ${sql}`,
			...Object.values(columns),
			...values,
		).changes;
	}

	/** Runs `work` in a transaction. If `work` throws an error, rolls back and rethrows the error. */
	transaction<T>(work: () => T): T {
		this.sqlite.exec('SAVEPOINT transaction_start');
		try {
			return work();
		} catch (error) {
			this.sqlite.exec('ROLLBACK TO transaction_start');
			throw error;
		} finally {
			this.sqlite.exec('RELEASE transaction_start');
		}
	}

	/** Saves the current state for `restore`, and replaces the previously saved state. */
	keep(): void {
		this.sqlite.exec('SAVEPOINT kept');
		this.changesAtKeep = this.changes();
	}

	/** Restores the saved state, including the next IDs. User API keys remain. */
	restore(): void {
		if (this.changes() === this.changesAtKeep) return;
		const keys = this.rows('user_keys');
		this.sqlite.exec('ROLLBACK TO kept');
		this.delete('user_keys');
		for (const key of keys) this.insert('user_keys', key);
		this.changesAtKeep = this.changes();
	}

	private changes(): Row[string] {
		return this.all('SELECT total_changes() AS count')[0]!.count!;
	}
}
