import type { Database } from './database.mts';
import { accountIds, accounts, insertAccounts, userIds } from './seed/accounts.mts';
import { aiContentIds, aiOutlineIds, insertAi } from './seed/ai.mts';
import { catalogItemIds, insertCatalog, supplierIds } from './seed/catalog.mts';
import { contactIds, locationIds, insertContacts } from './seed/contacts.mts';
import { countBackFrom } from './seed/daysAgo.mts';
import { insertProposals } from './seed/insert.mts';
import { changeOrderIds, proposalIds } from './seed/proposalIds.mts';

/**
 * What every new simulator contains: the credentials (`seed.dealer` and others) and the IDs of
 * records, named by their purpose. The files in `seed/` describe each one.
 */
export const seed = {
	...accounts,
	accounts: accountIds,
	users: userIds,
	contacts: contactIds,
	locations: locationIds,
	proposals: proposalIds,
	changeOrders: changeOrderIds,
	catalogItems: catalogItemIds,
	suppliers: supplierIds,
	aiContents: aiContentIds,
	aiOutlines: aiOutlineIds,
};

/** Fills an empty database. The dates are counted back from `today`, a day as `YYYY-MM-DD`. */
export function insertSeed(database: Database, today: string): void {
	const daysAgo = countBackFrom(today);
	insertAccounts(database);
	insertCatalog(database, daysAgo);
	insertContacts(database, daysAgo);
	insertProposals(database, daysAgo);
	insertAi(database, daysAgo);
}
