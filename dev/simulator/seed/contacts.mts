import type { Database } from '../database.mts';
import { findState } from '../states.mts';
import { accountIds, userIds } from './accounts.mts';
import type { DaysAgo } from './daysAgo.mts';

/** IDs of contacts. */
export const contactIds = {
	/**
	 * One complete primary location: assigning the contact assigns the location too, and there is
	 * tax.
	 */
	withPrimary: 5101,
	/** A company with three locations, one primary, another for billing. */
	company: 5102,
	/** Two locations, neither of them primary: a location has to be assigned as well. */
	withoutPrimary: 5103,
	/** No location. */
	withoutLocation: 5104,
	/** A primary location outside the country. */
	abroad: 5105,
	/** A primary location without city and postal code. */
	incomplete: 5106,
	/** A primary location without a state. */
	withoutState: 5107,
	/** A contractor instead of a client. */
	contractor: 5108,
	/** Of the other dealer: a 404 for all other users. */
	ofOtherDealer: 5901,
};

/** IDs of locations, named by their contacts. */
export const locationIds = {
	withPrimary: 6101,
	companyPrimary: 6102,
	companyBilling: 6103,
	companyThird: 6104,
	withoutPrimaryFirst: 6105,
	withoutPrimarySecond: 6106,
	abroad: 6107,
	incomplete: 6108,
	withoutState: 6109,
	ofOtherDealer: 6901,
};

type Address = [
	street: string,
	city: string | null,
	postalCode: string | null,
	state: string | null,
];

/** Inserts contacts and their locations. */
export function insertContacts(database: Database, daysAgo: DaysAgo): void {
	const person = (
		id: number,
		name: [string, string],
		rest: Record<string, string | number> = {},
		day = daysAgo(135, '16:20'),
	) =>
		database.insert('people', {
			id,
			account_id: accountIds.dealer,
			party_type: 'Person',
			contact_type: 'Client',
			first_name: name[0],
			last_name: name[1],
			contact_email: `${name[0]}.${name[1]}@clients.example`.toLowerCase(),
			contact_phone: `303-555-${String(id).slice(-4)}`,
			created_date: day,
			last_modified_date: day,
			last_modified_user_id: userIds.dealer,
			...rest,
		});
	const place = (
		id: number,
		person_id: number,
		[street, city, postal_code, state]: Address,
		marks: { is_primary?: boolean; is_billing?: boolean; country?: string } = {},
	) =>
		database.insert('locations', {
			id,
			person_id,
			street,
			city,
			postal_code,
			state: (state && findState(state)?.name) || state,
			state_abbrev: (state && findState(state)?.abbrev) || null,
			country: 'United States',
			last_modified_date: daysAgo(135, '16:20'),
			...marks,
		});
	const primary = { is_primary: true };
	const [ids, at] = [contactIds, locationIds];

	person(ids.withPrimary, ['Maren', 'Holt'], { notes: 'Prefers text messages.' });
	place(at.withPrimary, ids.withPrimary, ['22 Alder Lane', 'Boulder', '80302', 'CO'], primary);
	person(ids.company, ['Theo', 'Vance'], {
		party_type: 'Company',
		company_name: 'Quarry Street Hospitality',
		contact_email: 'theo@quarrystreet.example',
		contact_email_cc: 'office@quarrystreet.example',
	});
	place(at.companyPrimary, ids.company, ['900 Quarry Street', 'Austin', '78701', 'TX'], primary);
	place(at.companyBilling, ids.company, ['PO Box 18', 'Austin', '78702', 'TX'], {
		is_billing: true,
	});
	place(at.companyThird, ids.company, ['41 Pier Road', 'Portland', '97201', 'OR']);
	person(ids.withoutPrimary, ['Lena', 'Ostrowski'], {}, daysAgo(116, '10:00'));
	place(at.withoutPrimaryFirst, ids.withoutPrimary, ['5 Mill Court', 'Golden', '80401', 'CO']);
	place(at.withoutPrimarySecond, ids.withoutPrimary, ['77 Lakeview', 'Chicago', '60601', 'IL']);
	person(ids.withoutLocation, ['Ravi', 'Menon'], {}, daysAgo(113, '10:00'));
	person(ids.abroad, ['Elodie', 'Marchand'], {}, daysAgo(109, '10:00'));
	place(at.abroad, ids.abroad, ['12 rue des Forges', 'Dijon', '21000', null], {
		...primary,
		country: 'France',
	});
	person(ids.incomplete, ['Gus', 'Adeyemi'], {}, daysAgo(106, '10:00'));
	place(at.incomplete, ids.incomplete, ['Lot 9', null, null, 'CO'], primary);
	person(ids.withoutState, ['Wren', 'Castellan'], {}, daysAgo(103, '10:00'));
	place(
		at.withoutState,
		ids.withoutState,
		['3 Union Square', 'Springfield', '00000', null],
		primary,
	);
	person(ids.contractor, ['Dale', 'Prescott'], { contact_type: 'Contractor' });
	person(ids.ofOtherDealer, ['Bea', 'Lockhart'], { account_id: accountIds.otherDealer });
	place(at.ofOtherDealer, ids.ofOtherDealer, ['18 Harbor Way', 'Norfolk', '23510', 'VA'], primary);
}
