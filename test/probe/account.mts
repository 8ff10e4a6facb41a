/** What must not stand in a report: the values of the simulated account, as its database has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../../dev/testbed/paths.mts';

const contract = readFileSync(join(root, 'dev/simulator/openapi.yaml'), 'utf8');

/**
 * Every text and ID in a database of the simulator that tells something of the account: no word of
 * the contract, no date of a record, and nothing that the probe wrote itself.
 */
export function valuesIn(file: string): string[] {
	const database = new DatabaseSync(file, { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const cells = tables.flatMap(({ name }) =>
		database
			.prepare(`SELECT * FROM "${name}"`)
			.all()
			.flatMap((row) => Object.values(row)),
	);
	database.close();
	const texts = cells.map(String).filter((text) => /[\s@\d]|\p{Lu}/u.test(text));
	return [...new Set(texts)].filter(
		(text) =>
			text.length > 4 && !contract.includes(text) && !/n8n[- ]probe|^\d{4}-\d\d-\d\dT/i.test(text),
	);
}

/** Those of the values that stand in a text, not inside of another word or number. */
export const valuesShown = (values: string[], text: string): string[] =>
	values.filter((value) => {
		for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
			const around = [text[at - 1] ?? ' ', text[at + value.length] ?? ' '];
			if (around.every((one) => !/[\p{L}\p{N}]/u.test(one))) return true;
		}
		return false;
	});
