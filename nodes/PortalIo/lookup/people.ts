import type { IDataObject } from 'n8n-workflow';
import { requireList } from '../../../client/responseShape';
import { contactList, readPagedList } from '../../../client/lists';
import type { Session } from '../../../client/session';
import { nameKey, personName } from '../../shared/text';
import { formatCandidates, USE_ID, adviseId, requireOnlyId } from './pickOne';

export async function findContacts(session: Session, email: string): Promise<IDataObject[]> {
	const list = contactList({ SearchText: email });
	const { records } = await readPagedList(session, list, { advice: adviseId(email) });
	return filterByEmail(records, 'contactEmail', email);
}

export async function readUsers(session: Session): Promise<IDataObject[]> {
	const response = await session.send({ method: 'GET', path: '/public/users' });
	return requireList(response, 'users', 'usersCount');
}

export const filterByEmail = (people: IDataObject[], field: string, email: string): IDataObject[] =>
	people.filter((person) => nameKey(person[field]) === nameKey(email));

export function chooseContact(people: IDataObject[], email: string): number {
	const advice = "Check the email, or first create the contact with 'Reuse Existing Contact'.";
	return chooseByEmail(people, 'contact', email, advice);
}

export function chooseUser(people: IDataObject[], email: string): number {
	const advice = 'Check the email, or use the ID.';
	return chooseByEmail(people, 'active user', email, advice);
}

/** @param advice advice if nobody has the email */
function chooseByEmail(people: IDataObject[], what: string, email: string, advice: string): number {
	const names = formatCandidates(people, (person) =>
		String((person.companyName || personName(person)) ?? what),
	);
	return requireOnlyId(people, {
		ifNone: `no ${what} has the email ${email}. ${advice}`,
		ifSeveral: `is ambiguous: ${people.length} ${what}s have the email ${email}: ${names}. ${USE_ID}`,
	});
}
