/** Runs a mail server that stores the messages that it receives. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Json } from '../../simulator/contract.mts';
import { loadOfN8n } from '../paths.mts';
import { readAttachments, stamp, findTime, type Attachment } from './system.mts';

type Message = Record<'to' | 'subject' | 'html' | 'text', string> & { attachments: string[] };

export async function startEmail() {
	const messages: Message[] = [];
	const filesOf = new WeakMap<Message, Attachment[]>();
	const receive = async (stream: NodeJS.ReadableStream) => {
		const parser: Json = loadOfN8n('mailparser');
		const { to, attachments, subject, html, text } = await parser.simpleParser(
			await buffer(stream),
		);
		const files = readAttachments(attachments);
		const names = files.map(({ filename }) => filename);
		const message: Message = { to: to.text, subject, html, text, attachments: names };
		stamp(message);
		filesOf.set(message, files);
		messages.push(message);
	};
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, _session, done) => void receive(stream).then(() => done(), done),
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;
	const place = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return {
		name: 'Email',
		credential: {
			type: 'smtp',
			node: 'n8n-nodes-base.emailSend',
			data: { ...place, user: '', password: '' },
		},
		parameters: {
			fromEmail: 'n8n@cedarandcoil.example',
			toEmail: 'sales@cedarandcoil.example',
		},
		messages,
		listRecords: () => ({
			Messages: messages.map((message) => {
				const { to, subject, html } = message;
				const text = html ? { html } : message.text;
				return { time: findTime(message), to, subject, text, attachments: filesOf.get(message) };
			}),
		}),
		reset: () => void messages.splice(0),
		stop: () => new Promise<void>((resolve) => server.close(resolve)),
	};
}
