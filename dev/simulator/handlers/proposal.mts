import type { Row } from '../database.mts';
import { conflict, requireFound } from '../errors.mts';
import { hasText, orderBy, readPage } from '../paging.mts';
import { editing, findProposal, nextNumber } from '../proposals.mts';
import {
	changeOrderDetail,
	changeOrderSummary,
	lastModified,
	proposalDetail,
	proposalSummary,
} from '../serializers/proposal.mts';
import { findPerson } from './contact.mts';
import type { Call, Handler } from '../context.mts';

/** Maximum PageSize of the proposal list. Responds with 400 to a larger one (assumed). */
const MAX_PAGE_SIZE = 100;

const sortKeys: Record<string, string> = {
	CreatedDate: 'created_date',
	ModifiedDate: 'last_modified_date',
	Number: 'number',
	Name: 'lower(name)',
	ClientName: `lower(coalesce(company_name, last_name || ', ' || first_name, first_name, ''))`,
	Status: 'status',
	LastModifiedByMe: `iif(last_modified_user_id = :me, last_modified_by_user_date, '')`,
};

const searched = 'name number first_name last_name company_name contact_email'.split(' ');

function findSalesPerson(call: Call): number {
	const where = { id: call.values.SalesPersonId, account_id: call.accountId, is_active: 1 };
	return Number(requireFound(call.database.row('users', where), 'Salesperson').id);
}

const updateText = (column: string, field: string) =>
	editing((call) => {
		const text: string | null = call.values[field] ?? null;
		call.database.update('proposals', call.values.ProposalId, { [column]: text });
	});

export const proposal: Record<string, Handler> = {
	/**
	 * Sorts by last modification, newest first, by default, and in descending order if only SortBy is set. SearchText
	 * matches the name, number, and client's names and email in any case. All of this is assumed.
	 */
	'proposal.getMany': (call) => {
		const { values } = call;
		const { settings } = call.context;
		const modifiedAfter: string | undefined = values.ModifiedAfter;
		const isModifiedAfter = ({ last_modified_date: date }: Row) =>
			modifiedAfter === undefined ||
			date! > modifiedAfter ||
			(date === modifiedAfter && settings.modifiedAfter === 'inclusive');
		const sortKey = sortKeys[values.SortBy ?? 'ModifiedDate']!;
		const order = orderBy(call, sortKey, values.SortDirection ?? 'Desc');
		const isArchived = Number(values.IsArchive === true);
		const where = { account_id: call.accountId, parent_id: null, is_archived: isArchived };
		const rows = call.database
			.rows('listed_proposals', where, order)
			.filter((row) => !values.Statuses || values.Statuses.includes(row.status))
			.filter((row) => values.ContactId === undefined || row.contact_id === values.ContactId)
			.filter(isModifiedAfter)
			.filter(hasText(values.SearchText, searched));
		const { page, count } = readPage(call, rows, { most: MAX_PAGE_SIZE });
		const proposals = page.map((row) => proposalSummary(call.database, Number(row.id)));
		return { body: { proposals, proposalCount: count } };
	},

	'proposal.get': (call) => {
		const body = proposalDetail(call.database, Number(findProposal(call).id));
		return { body, headers: lastModified(body) };
	},

	/** Creates a proposal. Its default name is `Proposal <number>` (assumed). */
	'proposal.create': (call) => {
		const { database, accountId, userId, now } = call;
		const salesPersonId = findSalesPerson(call);
		const number = nextNumber(database, accountId);
		const id = database.insert('proposals', {
			account_id: accountId,
			number,
			name: call.values.Name || `Proposal ${number}`,
			sales_person_id: salesPersonId,
			created_date: now,
			last_modified_date: now,
			last_modified_by_user_date: now,
			last_modified_user_id: userId,
		});
		return { body: proposalDetail(database, id) };
	},

	'proposal.update': editing((call, proposal) => {
		call.database.update('proposals', proposal.id!, {
			name: call.values.Name ?? proposal.name,
			sales_person_id:
				call.values.SalesPersonId === undefined ? proposal.sales_person_id! : findSalesPerson(call),
		});
	}),
	'proposal.updateDescription': updateText('project_description', 'Description'),
	'proposal.updateInternalNotes': updateText('internal_notes', 'InternalNotes'),

	/**
	 * Assigns the contact and its primary location. Without exactly one primary location, the proposal keeps its
	 * location only if it already has this contact, because a location must belong to the assigned contact (assumed).
	 */
	'proposal.assignContact': editing((call, proposal) => {
		const { ContactId } = call.values;
		findPerson(call, ContactId);
		const primary = call.database.rows('locations', { person_id: ContactId, is_primary: 1 });
		const previousLocation = proposal.contact_id === ContactId ? proposal.location_id! : null;
		call.database.update('proposals', proposal.id!, {
			contact_id: ContactId,
			location_id: primary.length === 1 ? primary[0]!.id! : previousLocation,
		});
		return {};
	}),

	'proposal.assignLocation': editing((call, proposal) => {
		if (proposal.contact_id === null) {
			throw conflict('A contact must be assigned to the proposal before a location.');
		}
		const id = call.values.LocationId;
		requireFound(
			call.database.row('locations', { id, person_id: proposal.contact_id }),
			'Location',
		);
		call.database.update('proposals', proposal.id!, { location_id: id });
	}),

	/** Returns a plain array, oldest first (assumed). */
	'changeOrder.getMany': (call) => {
		const { id } = findProposal(call);
		const rows = call.database.rows('proposals', { parent_id: id });
		return { body: rows.map((row) => changeOrderSummary(call.database, row)) };
	},

	'changeOrder.get': (call) => {
		const { id } = findProposal(call);
		const { ChangeOrderId } = call.values;
		requireFound(
			call.database.row('proposals', { id: ChangeOrderId, parent_id: id }),
			'Change order',
		);
		const body = changeOrderDetail(call.database, ChangeOrderId);
		return { body, headers: lastModified(body) };
	},
};
