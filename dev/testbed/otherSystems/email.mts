/** A mail server that keeps what is sent. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { installationFolder } from '../paths.mts';
import type { OtherSystem, Records, SystemCredential } from './system.mts';

/** An email as far as a person looks at it. */
export interface Message {
	to: string;
	subject: string;
	html: string;
}

/** What n8n itself reads emails with. */
interface MailParser {
	simpleParser(email: Buffer): Promise<{ to: { text: string }; subject: string; html: string }>;
}

/** A mail server. */
export class Email implements OtherSystem {
	readonly name = 'Email';
	readonly settings = {};
	readonly messages: Message[] = [];
	readonly #server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, _session, done) => void this.#receive(stream).then(() => done(), done),
	});

	get credentials(): SystemCredential[] {
		const { port } = this.#server.server.address() as AddressInfo;
		const data = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
		const nodes = ['n8n-nodes-base.emailSend'];
		return [
			{ name: 'SMTP (simulated)', type: 'smtp', nodes, data: { ...data, user: '', password: '' } },
		];
	}

	async start(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server.server, 'listening');
	}

	async stop(): Promise<void> {
		await new Promise<void>((resolve) => this.#server.close(resolve));
	}

	reset(): void {
		this.messages.length = 0;
	}

	records(): Records {
		return { Messages: this.messages };
	}

	async #receive(stream: NodeJS.ReadableStream): Promise<void> {
		const requireOfN8n = createRequire(join(installationFolder, 'package.json'));
		const { simpleParser } = requireOfN8n('mailparser') as MailParser;
		const { to, subject, html } = await simpleParser(await buffer(stream));
		this.messages.push({ to: to.text, subject, html });
	}
}
