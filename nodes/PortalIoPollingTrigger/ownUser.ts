import { NodeOperationError } from 'n8n-workflow';
import { takeList } from '../../client/list';
import type { Proposal } from '../../client/model';
import { send } from '../../client/request';
import type { Session } from '../../client/session';
import { personName } from '../shared/contact';
import { plainText } from '../shared/text';

/**
 * Reads who the user of the credential is. A proposal names the user that modified it last without ID
 * and email, so the name must be one that no other user has.
 *
 * @returns whether a proposal was last modified by this user
 * @throws NodeOperationError when that cannot be told
 */
export async function readOwnUser(session: Session): Promise<(proposal: Proposal) => boolean> {
	const response = await send(session, { method: 'GET', path: '/public/users' });
	const users = takeList(response, 'users');
	const own = users.find(
		({ email }) => String(email).toLowerCase() === session.username.toLowerCase(),
	);
	const name = nameOf(own);
	if (name === '' || users.filter((user) => nameOf(user) === name).length > 1) {
		const reason =
			name === '' ? 'is not among the active users of Portal.io' : 'has the name of another user';
		throw new NodeOperationError(
			session.node,
			`'Ignore Own Changes' cannot work: the user of the credential ${reason}`,
			{
				description:
					'Use a Portal.io user with a name of its own for n8n, or turn the option off. Nothing is lost: changes are reported afterwards.',
			},
		);
	}
	return ({ lastModifiedUser }) => nameOf(lastModifiedUser) === name;
}

/** The name, whatever the spaces in it: in one place there may be more of them than in the other. */
const nameOf = (user: Parameters<typeof personName>[0]) => plainText(personName(user) ?? '');
