/**
 * Gmail's API (v1) with one mailbox, as far as n8n's node uses it to create a draft
 * (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.drafts/create).
 */
import { added, webService } from './system.mts';

export function createGmail() {
	const drafts: { id: string; text: string }[] = [];
	const service = webService('gmail', {
		records: { Drafts: drafts },
		routes: {
			'POST /gmail/v1/users/me/drafts': ({ body }) => {
				const text = Buffer.from(body.message.raw, 'base64url').toString('utf8');
				const id = `r${drafts.length + 1}`;
				return { id: added(drafts, { id, text }).id, message: { id: `m-${id}` } };
			},
		},
	});
	return { ...service, drafts };
}
