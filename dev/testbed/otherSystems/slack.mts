/**
 * Slack's Web API with one channel, as far as n8n's Slack node uses it to post a message
 * (https://docs.slack.dev/reference/methods/chat.postMessage). Refusals have status 200.
 */
import { Refusal, webService } from './system.mts';

const CHANNEL = { id: 'C0SALES0001', name: '#sales' };

const refusal = (error: string) => new Refusal(200, { ok: false, error });

export function createSlack() {
	const messages: { channel: string; text: string }[] = [];
	const service = webService('slack', {
		records: { Messages: messages },
		routes: {
			'POST /api/chat.postMessage': ({ body: { channel: asked, text } }) => {
				const { id: channel, name } = CHANNEL;
				if (asked !== channel && asked !== name) throw refusal('channel_not_found');
				if (typeof text !== 'string' || text === '') throw refusal('no_text');
				messages.push({ channel, text });
				const ts = `${messages.length}.000000`;
				return { ok: true, channel, ts, message: { type: 'message', ts, text } };
			},
		},
	});
	return { ...service, messages };
}
