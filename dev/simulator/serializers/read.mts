import type { Database, Row } from '../database.mts';

/** The rows of one proposal (or change order) that its views need. */
export interface ProposalRows {
	proposal: Row;
	account: Row;
	contact: Row | undefined;
	location: Row | undefined;
	areas: { area: Row; options: { option: Row; items: Row[] }[] }[];
}

/**
 * Reads a proposal with all its data. Throws when it does not exist.
 *
 * @param declined IDs of options to regard as declined, which shows what a choice would cost
 */
export function readProposal(
	database: Database,
	id: number,
	declined: readonly number[] = [],
): ProposalRows {
	const proposal = database.get('SELECT * FROM proposals WHERE id = ?', id);
	if (!proposal) throw new Error(`no proposal ${id}`);
	const byId = (table: string, key: Row[string] | undefined) =>
		database.get(`SELECT * FROM ${table} WHERE id = ?`, key ?? null);
	const areas = database
		.all('SELECT * FROM areas WHERE proposal_id = ? ORDER BY id', id)
		.map((area) => ({
			area,
			options: database
				.all('SELECT * FROM area_options WHERE area_id = ? ORDER BY id', area.id!)
				.map((option) => ({
					option: declined.includes(Number(option.id)) ? { ...option, status: 'Declined' } : option,
					items: database.all(
						`SELECT proposal_items.*, suppliers.name AS supplier FROM proposal_items
							LEFT JOIN suppliers ON suppliers.id = supplier_id WHERE option_id = ? ORDER BY id`,
						option.id!,
					),
				})),
		}));
	return {
		proposal,
		account: byId('accounts', proposal.account_id)!,
		contact: byId('people', proposal.contact_id),
		location: byId('locations', proposal.location_id),
		areas,
	};
}
