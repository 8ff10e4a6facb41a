import type { Session } from '../../../client/session';
import { ValueError } from '../fields/fieldError';
import type { RecordReference } from '../fields/field';
import { createAreaLookups, type SendChange } from './areas';
import { chooseCatalogItem, chooseProposalItem, searchCatalog, readProposalItems } from './items';
import { chooseContact, chooseUser, findContacts, filterByEmail, readUsers } from './people';
import { chooseProposal, findProposals } from './proposals';
import type { Scope } from './references';

/** Finds the ID of a record. Throws a ValueError unless exactly one record matches. */
export type FindRecord = (
	reference: RecordReference,
	scope: Scope,
	send?: SendChange,
) => Promise<number>;

/**
 * Returns a function that finds records for one execution and account. It remembers the results, so each search is sent
 * only once.
 */
export function createLookups(session: Session): FindRecord {
	const proposals = memoize(async (number: string) => await findProposals(session, number));
	const catalog = memoize(
		async (model: string, itemType: string) => await searchCatalog(session, model, itemType),
	);
	const contacts = memoize(async (email: string) => await findContacts(session, email));
	const users = memoize(async () => await readUsers(session));
	const items = memoize(async (proposalId: number) => await readProposalItems(session, proposalId));
	const areas = createAreaLookups(session);
	return async (reference, scope, send = async (request) => await session.send(request)) => {
		const { target, name, isFromModel } = reference;
		const proposalId = Number(scope.proposalId);
		switch (target) {
			case 'proposal':
				return chooseProposal(await proposals(name), name);
			case 'contact':
				return chooseContact(await contacts(name), name);
			case 'salesperson':
				return chooseUser(filterByEmail(await users(), 'email', name), name);
			case 'area':
				return await areas.findArea(proposalId, name);
			case 'areaOption':
				return await areas.findOption(proposalId, name);
			case 'placement':
				return readCreateMissingArea(scope) === true
					? await areas.findOrCreateOption(proposalId, name, send)
					: await areas.findOption(proposalId, name, !isFromModel);
			case 'item':
				return chooseProposalItem(await items(proposalId), name, isFromModel);
			case 'catalogItem': {
				const itemType = String(scope.itemType ?? 'Part');
				if (itemType !== 'Fee')
					return chooseCatalogItem(await catalog(name, itemType), name, itemType);
				throw new ValueError(
					"cannot be a model, because Portal.io has no list of fees. Enter the fee's ID.",
				);
			}
		}
	};
}

/** Returns the value of *Create Missing Area*; undefined if the user has not added the option. */
export const readCreateMissingArea = ({ options }: Scope): boolean | undefined =>
	(options as { createMissingArea?: boolean }).createMissingArea;

function memoize<R, A extends unknown[]>(read: (...names: A) => Promise<R>) {
	const results = new Map<string, Promise<R>>();
	return async (...names: A): Promise<R> => {
		const key = JSON.stringify(names);
		const result = results.get(key) ?? read(...names);
		results.set(key, result);
		return await result;
	};
}
