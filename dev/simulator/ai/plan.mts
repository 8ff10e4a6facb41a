import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Database, Row } from '../database.mts';
import { catalogColumns, visibleCatalogItem } from '../items.mts';
import { toQuantity } from '../money.mts';

/**
 * The proposal of the AI Builder, the same for every content, so that tests can calculate the
 * totals.
 */
const plan: { name: string; description: string; items: [itemId: number, quantity: number][] }[] =
	parse(readFileSync(new URL('plan.yaml', import.meta.url), 'utf8'));

const linesOf = (database: Database, proposal: Row, area: (typeof plan)[number]): [Row, number][] =>
	area.items.flatMap(([id, quantity]) => {
		const item = visibleCatalogItem(database, Number(proposal.account_id), id);
		return item ? [[item, quantity]] : [];
	});

/** The outline as Markdown, with the names of the contents that it is made from. */
export function outlineText(database: Database, proposal: Row, contents: Row[]): string {
	const areas = plan.map((area) => {
		const items = linesOf(database, proposal, area).map(
			([item, quantity]) =>
				`- ${quantity} × ${item.name ?? `${item.brand} ${item.model}`}: ${item.short_description}`,
		);
		return `## ${area.name}\n\n${area.description}\n\n${items.join('\n')}`;
	});
	const sources = contents.map((content) => `- ${content.name}`).join('\n');
	return [`# ${proposal.name}`, ...areas, `## Sources\n\n${sources}`].join('\n\n') + '\n';
}

/** An area name that is free on the proposal: `Network`, `Network 2`, `Network 3`. */
function freeName(database: Database, proposalId: Row[string], name: string): string {
	const sql = 'SELECT id FROM areas WHERE proposal_id = ? AND lower(name) LIKE lower(?)';
	const count = database.all(sql, proposalId!, `${name}%`).length;
	return count === 0 ? name : `${name} ${count + 1}`;
}

/**
 * Adds the plan to the proposal: areas with one option each, and items at catalog prices. Existing
 * areas stay unchanged. `at` becomes the date of everything that is added.
 */
export function buildProposal(database: Database, proposal: Row, at: string): void {
	for (const area of plan) {
		const areaId = database.insert('areas', {
			proposal_id: proposal.id,
			name: freeName(database, proposal.id!, area.name),
		});
		const optionId = database.insert('area_options', {
			area_id: areaId,
			last_modified_date: at,
			client_description: area.description,
		});
		for (const [item, quantity] of linesOf(database, proposal, area)) {
			database.insert('proposal_items', {
				...catalogColumns(database, item, at),
				option_id: optionId,
				quantity: toQuantity(quantity),
				created_date: at,
			});
		}
	}
	// The date of the last change by a user stays.
	database.update('proposals', proposal.id!, { last_modified_date: at });
}
