import type { Database, Row } from '../database.mts';
import { compact } from './fields.mts';

/** A contact, in the short form that proposals and lists have. */
export function contactView(person: Row) {
	return compact({
		id: person.id,
		partyType: person.party_type,
		contactType: person.contact_type,
		firstName: person.first_name,
		lastName: person.last_name,
		companyName: person.company_name,
		contactEmail: person.contact_email,
		contactEmailCC: person.contact_email_cc,
		contactPhone: person.contact_phone,
	});
}

/** A location, from a row of `locations` or `accounts`. */
export function locationView(row: Row, id: Row[string] = row.id ?? null) {
	return compact({
		id,
		street: row.street,
		suite: row.suite,
		city: row.city,
		postalCode: row.postal_code,
		state: row.state,
		stateAbbrev: row.state_abbrev,
		country: row.country,
		phone: row.phone,
	});
}

/** A location of a contact. */
export function contactLocationView(row: Row) {
	return {
		...locationView(row),
		...compact({
			contactFirstName: row.contact_first_name,
			contactLastName: row.contact_last_name,
			contactPhoneNumber: row.contact_phone_number,
			contactEmail: row.contact_email,
		}),
		isPrimary: row.is_primary === 1,
		isBilling: row.is_billing === 1,
	};
}

/** A contact in full; the counts only on request. */
export function personView(database: Database, person: Row, includeCounts = false) {
	const marked = (column: 'is_primary' | 'is_billing') => {
		const row = database.get(
			`SELECT * FROM locations WHERE person_id = ? AND ${column} = 1 ORDER BY id LIMIT 1`,
			person.id!,
		);
		return row ? contactLocationView(row) : null;
	};
	const counts = () =>
		database.get(
			`SELECT
				(SELECT count(*) FROM proposals WHERE contact_id = ?1 AND parent_id IS NULL) AS proposals,
				(SELECT count(*) FROM payment_requests JOIN proposals ON proposals.id = proposal_id
					WHERE contact_id = ?1) AS payments`,
			person.id!,
		)!;
	return {
		...contactView(person),
		...compact({ notes: person.notes, lastModifiedDate: person.last_modified_date }),
		primaryLocation: marked('is_primary'),
		billingLocation: marked('is_billing'),
		...(includeCounts && { proposalCount: counts().proposals, paymentCount: counts().payments }),
	};
}
