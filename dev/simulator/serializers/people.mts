import type { Database, Row } from '../database.mts';
import { viewOf } from './fields.mts';

/** A contact, in the short form that proposals and lists have. */
export const contactView = (person: Row) => viewOf('Contact', person);

/** A location without its ID, from a row of `locations` or `accounts`. */
export const addressView = (row: Row) => viewOf('Location', { ...row, id: null });

/** A location. */
export const locationView = (row: Row) => viewOf('Location', row);

/** A location of a contact. */
export const contactLocationView = (row: Row) => viewOf('ContactLocation', row);

/** A contact in full; the counts only on request. */
export function personView(database: Database, person: Row, includeCounts = false) {
	const marked = (column: 'is_primary' | 'is_billing') => {
		const row = database.get(
			`SELECT * FROM locations WHERE person_id = ? AND ${column} = 1 ORDER BY id LIMIT 1`,
			person.id!,
		);
		return row ? contactLocationView(row) : null;
	};
	const counts = database.get(
		`SELECT
			(SELECT count(*) FROM proposals WHERE contact_id = ?1 AND parent_id IS NULL) AS proposal_count,
			(SELECT count(*) FROM payment_requests JOIN proposals ON proposals.id = proposal_id
				WHERE contact_id = ?1) AS payment_count`,
		person.id!,
	)!;
	return {
		...viewOf('Person', person),
		primaryLocation: marked('is_primary'),
		billingLocation: marked('is_billing'),
		...(includeCounts && viewOf('Person', counts)),
	};
}
