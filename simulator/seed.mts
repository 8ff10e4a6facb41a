import type { Database } from './database.mts';
import { accountIds, accounts, plantAccounts, userIds } from './seed/accounts.mts';
import { aiContentIds, aiOutlineIds, plantAi } from './seed/ai.mts';
import { catalogItemIds, plantCatalog, supplierIds } from './seed/catalog.mts';
import { contactIds, locationIds, plantContacts } from './seed/contacts.mts';
import { plantProposals } from './seed/plant.mts';
import { changeOrderIds, proposalIds } from './seed/proposalIds.mts';

/**
 * What every new simulator holds: who can sign in (`seed.dealer` and the others) and the ids of what is
 * there, by what it is good for. The notes stand where each id is defined, in `seed/`.
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

/** Fills an empty database. */
export function plantSeed(database: Database): void {
	plantAccounts(database);
	plantCatalog(database);
	plantContacts(database);
	plantProposals(database);
	plantAi(database);
}
