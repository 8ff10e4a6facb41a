import type { Session } from '../../../client/session';
import type { Lookups } from '../fields/field';
import { areaLookups } from './areas';
import { catalogItemIdByModel, itemIdByModel, searchCatalog, searchProposalItems } from './items';
import { contactIdByEmail, contactsWithEmail, readUsers, userIdByEmail, withEmail } from './people';
import { proposalIdByNumber, proposalsWithNumber } from './proposals';

/** Returns the lookups of one execution and account. They read each record once. */
export function lookupsOf(session: Session): Lookups {
	const proposals = memoize(async (number: string) => await proposalsWithNumber(session, number));
	const catalog = memoize(
		async (model: string, itemType: string) => await searchCatalog(session, model, itemType),
	);
	const contacts = memoize(async (email: string) => await contactsWithEmail(session, email));
	const users = memoize(async () => await readUsers(session));
	const items = memoize(
		async (proposalId: number, model: string) =>
			await searchProposalItems(session, proposalId, model),
	);
	return {
		proposal: async (number, label) => proposalIdByNumber(await proposals(number), number, label),
		catalogItem: async (text, itemType, label) => {
			const model = text.trim();
			return catalogItemIdByModel(await catalog(model, itemType), model, itemType, label);
		},
		contact: async (email, label) => contactIdByEmail(await contacts(email), email, label),
		salesperson: async (email, label) =>
			userIdByEmail(withEmail(await users(), 'email', email), email, label),
		item: async (proposalId, model, label, mayBeId) =>
			itemIdByModel(await items(proposalId, model), model, label, mayBeId),
		...areaLookups(session),
	};
}

function memoize<R, A extends unknown[]>(read: (...names: A) => Promise<R>) {
	const results = new Map<string, Promise<R>>();
	return async (...names: A): Promise<R> => {
		const key = JSON.stringify(names);
		const result = results.get(key) ?? read(...names);
		results.set(key, result);
		return await result;
	};
}
