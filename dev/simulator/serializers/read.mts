import type { Database, Row } from '../database.mts';
import { proposalTotals, type OptionRows, type ProposalTotals } from '../totals.mts';

/** All data of one proposal (or change order) that its views need. */
export interface ProposalParts {
	proposal: Row;
	account: Row;
	contact: Row | undefined;
	location: Row | undefined;
	areas: { area: Row; options: OptionRows[] }[];
	totals: ProposalTotals;
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
): ProposalParts {
	const proposal = database.get('SELECT * FROM proposals WHERE id = ?', id);
	if (!proposal) throw new Error(`no proposal ${id}`);
	const byId = (table: string, key: Row[string]) =>
		key === null || key === undefined
			? undefined
			: database.get(`SELECT * FROM ${table} WHERE id = ?`, key);
	const account = byId('accounts', proposal.account_id!)!;
	const location = byId('locations', proposal.location_id!);
	const areas = database
		.all('SELECT * FROM areas WHERE proposal_id = ? ORDER BY id', id)
		.map((area) => ({
			area,
			options: database
				.all('SELECT * FROM area_options WHERE area_id = ? ORDER BY id', area.id!)
				.map((option) => ({
					option: declined.includes(Number(option.id)) ? { ...option, status: 'Declined' } : option,
					items: database.all(
						`SELECT proposal_items.*, suppliers.name AS supplier_name FROM proposal_items
							LEFT JOIN suppliers ON suppliers.id = supplier_id WHERE option_id = ? ORDER BY id`,
						option.id!,
					),
				})),
		}));
	return {
		proposal,
		account,
		contact: byId('people', proposal.contact_id!),
		location,
		areas,
		totals: proposalTotals(
			proposal,
			account,
			location,
			areas.flatMap((one) => one.options),
		),
	};
}
