import type { IDataObject } from 'n8n-workflow';
import { takeList } from '../../../client/data';
import { readList } from '../../../client/pages';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import type { Found } from '../fields/records';
import { readId } from '../fields/values';

/** The ID of the contact with an email address, whatever its case. */
export async function findContact(session: Session, email: string): Promise<Found> {
	const query = { SearchText: email };
	const list = {
		request: { method: 'GET', path: '/public/people', query } as const,
		...{ records: 'people', count: 'peopleCount' },
	};
	const { records } = await readList(session, list);
	return onlyOne(records, 'contactEmail', email, 'contact');
}

/** The ID of the active user with an email address, whatever its case. */
export async function findSalesperson(session: Session, email: string): Promise<Found> {
	const request = { method: 'GET', path: '/public/users' } as const;
	const users = takeList(await send(session, request), 'users', 'usersCount');
	return onlyOne(users, 'email', email, 'active user');
}

function onlyOne(records: IDataObject[], field: string, email: string, what: string): Found {
	const key = (text: unknown) =>
		String(text ?? '')
			.trim()
			.toLowerCase();
	const found = records.filter((one) => key(one[field]) === key(email));
	if (found.length === 1) return readId(found[0]!.id, 'ID');
	return found.length === 0
		? `was not found: no ${what} has the email ${email}. Check the email, or choose from the list.`
		: `is ambiguous: ${found.length} ${what}s have the email ${email}. Choose one from the list, or enter its ID.`;
}
