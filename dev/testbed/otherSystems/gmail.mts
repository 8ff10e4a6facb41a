/**
 * Simulates Gmail's API (v1) with one mailbox, limited to what n8n's node uses to create a draft
 * (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.drafts/create).
 */
import type { Json } from '../../simulator/contract.mts';
import { loadOfN8n } from '../paths.mts';
import { addRecord, readAttachments, findTime, webService } from './system.mts';

export function createGmail() {
	const drafts: { id: string; text: string }[] = [];
	const service = webService('gmail', {
		records: { Drafts: drafts },
		shown: async () => {
			const parser: Json = loadOfN8n('mailparser');
			const displayedDrafts = drafts.map(async (draft) => {
				const mail = await parser.simpleParser(draft.text);
				const { to, subject, html } = mail;
				const files = readAttachments(mail.attachments);
				const text = html ? { html } : mail.text;
				const { id } = draft;
				return { time: findTime(draft), id, to: to?.text, subject, text, attachments: files };
			});
			return { Drafts: await Promise.all(displayedDrafts) };
		},
		routes: {
			'POST /gmail/v1/users/me/drafts': ({ body }) => {
				const text = Buffer.from(body.message.raw, 'base64url').toString('utf8');
				const id = `r${drafts.length + 1}`;
				return { id: addRecord(drafts, { id, text }).id, message: { id: `m-${id}` } };
			},
		},
	});
	return { ...service, drafts };
}
