import type { Database, Row } from '../database.mts';
import { fieldsOf } from './fields.mts';

/** A contact, in the short form that proposals and lists have. */
export const contactView = (person: Row) =>
	fieldsOf(
		person,
		`id party_type contact_type first_name last_name company_name contact_email contact_email_CC
			contact_phone`,
	);

const LOCATION = 'street suite city postal_code state state_abbrev country phone';

/** A location without its ID, from a row of `locations` or `accounts`. */
export const addressView = (row: Row) => fieldsOf(row, LOCATION);

/** A location. */
export const locationView = (row: Row) => fieldsOf(row, `id ${LOCATION}`);

/** A location of a contact. */
export const contactLocationView = (row: Row) =>
	fieldsOf(
		row,
		`id ${LOCATION} contact_first_name contact_last_name contact_phone_number contact_email
			is_primary is_billing`,
	);

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
		...contactView(person),
		...fieldsOf(person, 'notes last_modified_date'),
		primaryLocation: marked('is_primary'),
		billingLocation: marked('is_billing'),
		...(includeCounts && fieldsOf(counts, 'proposal_count payment_count')),
	};
}
