/** Finds the records that the inputs of an execution name by a number, email, model or name. */
import type { IDataObject } from 'n8n-workflow';
import { isNotFound, PortalError, statusOf } from '../../../client/errors';
import { fetchProposal, isProposal, itemsOf, type Proposal } from '../../../client/model';
import { contactList, proposalList, readList } from '../../../client/pages';
import { takeList } from '../../../client/response';
import { send, type Session } from '../../../client/session';
import { nameKey } from '../../shared/text';
import type { Found, Records } from '../fields/field';
import { readId } from '../fields/values';
import type { AnyValues } from '../operation/operation';
import { newArea } from '../resources/area';
import { areasIn, findArea, findOption } from './areas';
import { findCatalogItem, withModel } from './catalogItem';

/** Each record is looked up once. */
export function recordsOf(session: Session): Records {
	const found = new Map<string, Promise<unknown>>();
	const once = <R, A extends unknown[]>(what: string, find: (...names: A) => Promise<R>) => {
		return async (...names: A): Promise<R> => {
			const key = [what, ...names].join(' ');
			const finding = found.get(key) ?? find(...names);
			found.set(key, finding);
			return await (finding as Promise<R>);
		};
	};
	const areasOf = once('areas', async (id: number) => areasIn(await fetchProposal(session, id)));
	return {
		proposal: once('proposal', async (number) => await findProposal(session, number)),
		catalogItem: once('model', async (model, type) => await findCatalogItem(session, model, type)),
		contact: once('contact', async (email) => await findContact(session, email)),
		salesperson: once('salesperson', async (email) => await findSalesperson(session, email)),
		item: once('item', async (id, model) => await findItem(session, id, model)),
		area: async (id, name) => findArea(await areasOf(id), name),
		// Inputs that may create an area in the same proposal have to wait for each other.
		areaOption: async (id, name, missing) => {
			const option = findOption(await areasOf(id), name, missing);
			if (option !== undefined) return option;
			const key = `areas ${id}`;
			found.delete(key);
			const response = await send(session, newArea(id, name.trim()));
			// The proposal is read again if the response does not show its areas.
			if (isProposal(response)) found.set(key, Promise.resolve(areasIn(response)));
			const hasNone = `Portal.io accepted the request, but the proposal has no area '${name}'`;
			return findOption(await areasOf(id), name, missing) ?? `was not created: ${hasNone}`;
		},
	};
}

/** Searches archived proposals only if no other has the number. */
async function findProposal(session: Session, number: string): Promise<Found> {
	const current = await proposalsWith(session, number, false);
	const found = current.length > 0 ? current : await proposalsWith(session, number, true);
	const [proposal] = found;
	if (proposal === undefined) {
		return `was not found: no proposal has the number ${number}. Check the number, or choose the proposal from the list.`;
	}
	if (found.length === 1) return readId(proposal.id, 'Proposal');
	return `matches ${found.length} proposals with the number ${number}. Choose one from the list, or enter its ID.`;
}

/** Archived proposals are a list of their own. */
async function proposalsWith(
	session: Session,
	number: string,
	isArchive: boolean,
	limit = Infinity,
): Promise<IDataObject[]> {
	const query = { SearchText: number, ...(isArchive ? { IsArchive: true } : {}) };
	const { records } = await readList(session, proposalList(query), { limit });
	return records.filter((proposal) => String(proposal.number) === number);
}

async function findContact(session: Session, email: string): Promise<Found> {
	const { records } = await readList(session, contactList({ SearchText: email }));
	return onlyOne(records, 'contactEmail', email, 'contact');
}

async function findSalesperson(session: Session, email: string): Promise<Found> {
	const request = { method: 'GET', path: '/public/users' } as const;
	const users = takeList(await send(session, request), 'users', 'usersCount');
	return onlyOne(users, 'email', email, 'active user');
}

function onlyOne(records: IDataObject[], field: string, email: string, what: string): Found {
	const found = records.filter((one) => nameKey(one[field]) === nameKey(email));
	if (found.length === 1) return readId(found[0]!.id, 'ID');
	return found.length === 0
		? `was not found: no ${what} has the email ${email}. Check the email, or choose from the list.`
		: `is ambiguous: ${found.length} ${what}s have the email ${email}. Choose one from the list, or enter its ID.`;
}

async function findItem(session: Session, proposalId: number, model: string): Promise<Found> {
	const found = withModel(itemsOf(await fetchProposal(session, proposalId)), model);
	if (found.length === 1) return found[0]!.id;
	const places = found.map(({ areaName, id }) => `'${areaName}' (ID ${id})`).join(', ');
	return found.length === 0
		? `was not found: the proposal has no item with the model '${model}'. Check the model, or choose from the list.`
		: `is ambiguous: the proposal has ${found.length} items with the model '${model}': in ${places}. Choose one from the list, or enter its ID.`;
}

const PAGE = 100;

/**
 * Adds to an error what reading the proposal again shows: that a number was given for an ID, or
 * that the status prevents the change.
 */
export async function explainWithProposal(
	error: Error,
	session: Session,
	{ idFields, isRead }: { idFields: string[]; isRead: boolean },
	{ proposalId }: AnyValues,
): Promise<Error> {
	if (typeof proposalId !== 'number') return error;
	if (error instanceof PortalError && statusOf(error) === '409' && !isRead) {
		const { number, status } = await stateOf(session, proposalId);
		if (!CLOSED.includes(String(status))) return error;
		const what = `Proposal ${number} is ${String(status).toLowerCase()}, so it can't be changed`;
		return error.with({ what });
	}
	if (!isNotFound(error)) return error;
	const isOther = idFields.length > 1 && (await hasProposal(session, proposalId));
	if (isOther || !(await hasNumber(session, proposalId))) return error;
	const advice = `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	return new PortalError(error.message, { ...error, advice: [advice] });
}

const CLOSED = ['Accepted', 'Completed', 'Declined'];

/** Empty if the proposal cannot be read. */
const stateOf = async (session: Session, id: number) =>
	await fetchProposal(session, id).catch((): Partial<Proposal> => ({}));

/** Also true if the service does not say. */
const hasProposal = async (session: Session, id: number): Promise<boolean> =>
	await fetchProposal(session, id).then(
		() => true,
		(error: Error) => !isNotFound(error),
	);

/** Also false if the service does not say. */
const hasNumber = async (session: Session, number: number): Promise<boolean> =>
	await proposalsWith(session, String(number), false, PAGE).then(
		(proposals) => proposals.length > 0,
		() => false,
	);
