import type { Row } from '../database.mts';
import { requireFound, invalid } from '../errors.mts';
import { hasText, orderBy, readPage } from '../paging.mts';
import { findState } from '../tax.mts';
import { personView, viewOf } from '../serializers/fields.mts';
import type { Call, Handler } from '../context.mts';

/** Columns for SortBy. A contact was last active when it was last modified (assumed). */
const sortKeys: Record<string, string> = {
	ModifiedDate: 'last_modified_date',
	CreatedDate: 'created_date',
	FirstName: 'lower(first_name)',
	LastName: 'lower(last_name)',
	LastActive: 'last_modified_date',
	LastActiveByMe: `iif(last_modified_user_id = :me, last_modified_date, '')`,
};

const searched = ['first_name', 'last_name', 'company_name', 'contact_email'];

export const findPerson = ({ database, accountId }: Call, id: number): Row =>
	requireFound(database.row('people', { id, account_id: accountId }), 'Contact');

export const contact: Record<string, Handler> = {
	/**
	 * By default, returns contacts with the fields of a proposal's contact (assumed). A PageNumber or PageSize below 1
	 * means its default.
	 */
	'contact.getMany': (call) => {
		const { values } = call;
		const sortKey = sortKeys[values.SortBy ?? 'LastName']!;
		const order = orderBy(call, sortKey, values.SortDirection ?? 'Asc');
		const rows = call.database
			.rows('people', { account_id: call.accountId }, order)
			.filter((row) => !values.ContactTypes || values.ContactTypes.includes(row.party_type))
			.filter(hasText(values.SearchText, searched));
		const paged = {
			PageNumber: values.PageNumber >= 1 ? values.PageNumber : undefined,
			PageSize: values.PageSize >= 1 ? values.PageSize : undefined,
		};
		const { page, count } = readPage({ ...call, values: paged }, rows);
		const isFull = call.context.settings.listedContacts === 'full';
		const people = page.map((row) =>
			isFull ? personView(call.context, row) : viewOf('Contact', row),
		);
		return { body: { people, peopleCount: count } };
	},

	'contact.get': (call) => ({
		body: personView(
			call.context,
			findPerson(call, call.values.PersonId),
			call.values.IncludeCounts === true,
		),
	}),

	'contact.create': (call) => {
		const { values, database } = call;
		if (values.PartyType === 'Company' && !values.CompanyName) {
			throw invalid('CompanyName', 'CompanyName is required when PartyType is Company.');
		}
		const id = database.insert('people', {
			...values,
			account_id: call.accountId,
			created_date: call.now,
			last_modified_date: call.now,
			last_modified_user_id: call.userId,
		});
		return { body: personView(call.context, findPerson(call, id)) };
	},

	/** Returns the primary location first, then the billing location, then the newest ones. */
	'location.getMany': (call) => {
		const { id } = findPerson(call, call.values.ContactId);
		const order = 'is_primary DESC, is_billing DESC, last_modified_date DESC, id';
		const rows = call.database.rows('locations', { person_id: id }, order);
		const { page, count } = readPage(call, rows);
		const contactLocations = page.map((row) => viewOf('ContactLocation', row));
		return { body: { contactLocations, locationCount: count } };
	},

	'location.create': (call) => {
		const { database } = call;
		const { ContactId, ...values } = call.values;
		const person = findPerson(call, ContactId);
		if (values.Country && !values.State) throw invalid('State', 'State is required with Country.');
		const state = findState(values.State);
		for (const mark of ['IsPrimary', 'IsBilling'].filter((one) => values[one] === true)) {
			database.updateAll('locations', { person_id: person.id }, { [mark]: false });
		}
		const id = database.insert('locations', {
			...values,
			...(state && { State: state.name, StateAbbrev: state.abbrev }),
			person_id: person.id,
			last_modified_date: call.now,
		});
		const changed = { last_modified_date: call.now, last_modified_user_id: call.userId };
		database.update('people', person.id!, changed);
		return { body: viewOf('ContactLocation', database.row('locations', { id })!) };
	},
};
