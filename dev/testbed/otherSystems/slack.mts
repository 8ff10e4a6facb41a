/**
 * Slack's Web API, as far as n8n's Slack node uses it to post a message
 * (https://docs.slack.dev/reference/methods/chat.postMessage). Refusals have status 200.
 */
import { Refusal, WebService, type Fields, type Records, type Route } from './system.mts';

const TOKEN = 'xoxb-simulated-workspace';
const MAX_TEXT = 40_000;

/** A workspace with one channel, of which the bot is a member. */
export class Slack extends WebService {
	readonly name = 'Slack';
	readonly hosts = ['slack.com'];
	protected readonly token = TOKEN;
	readonly credentials = [
		{
			name: 'Slack (simulated)',
			type: 'slackApi',
			nodes: ['n8n-nodes-base.slack'],
			data: { accessToken: TOKEN, signatureSecret: '' },
		},
	];
	override readonly settings = { 'Slack Channel ID': 'C0SALES0001' };
	readonly messages: { channel: string; text: string }[] = [];

	protected readonly routes: Route[] = [
		['POST', /^\/api\/chat\.postMessage$/, ({ body }) => this.#post(body)],
	];

	records(): Records {
		return { Messages: this.messages };
	}

	protected clear(): void {
		this.messages.length = 0;
	}

	protected readonly unauthorized = () => refusal('invalid_auth');
	protected readonly notFound = () => refusal('unknown_method');

	#post({ channel, text }: Fields): object {
		if (channel !== this.settings['Slack Channel ID']) throw refusal('channel_not_found');
		if (typeof text !== 'string' || text === '') throw refusal('no_text');
		if (text.length > MAX_TEXT) throw refusal('msg_too_long');
		this.messages.push({ channel, text });
		const ts = `${this.messages.length}.000000`;
		return { ok: true, channel, ts, message: { type: 'message', ts, text } };
	}
}

const refusal = (error: string) => new Refusal(200, { ok: false, error });
