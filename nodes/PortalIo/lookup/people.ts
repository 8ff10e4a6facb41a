import type { IDataObject } from 'n8n-workflow';
import { requireList } from '../../../client/guards';
import { contactList, readPagedList } from '../../../client/lists';
import type { Session } from '../../../client/session';
import { nameKey } from '../../shared/text';
import type { Found } from '../fields/field';
import { enterId, onlyOne } from './matches';

export async function findContact(session: Session, email: string): Promise<Found> {
	const list = contactList({ SearchText: email });
	const { records } = await readPagedList(session, list, { advice: enterId(email) });
	return withEmail(records, 'contactEmail', email, 'contact');
}

export async function findSalesperson(session: Session, email: string): Promise<Found> {
	const request = { method: 'GET', path: '/public/users' } as const;
	const users = requireList(await session.send(request), 'users', 'usersCount');
	return withEmail(users, 'email', email, 'active user');
}

function withEmail(records: IDataObject[], field: string, email: string, what: string): Found {
	const found = records.filter((one) => nameKey(one[field]) === nameKey(email));
	return onlyOne(
		found,
		`no ${what} has the email ${email}. Check the email, or choose from the list.`,
		`is ambiguous: ${found.length} ${what}s have the email ${email}. Choose one from the list, or enter its ID.`,
	);
}
