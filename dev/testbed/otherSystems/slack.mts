/**
 * Simulates Slack's Web API with two channels, limited to what n8n's node uses to list channels and post a
 * message (https://docs.slack.dev/reference/methods/chat.postMessage). Rejections have status 200.
 */
import { Refusal, webService } from './system.mts';

const CHANNELS = [
	{ id: 'C0SALES0001', name: 'sales' },
	{ id: 'C0PURCHASE1', name: 'purchasing' },
];

const refusal = (error: string) => new Refusal(200, { ok: false, error });

export function createSlack() {
	const messages: { channel: string; text: string }[] = [];
	const service = webService('slack', {
		records: { Messages: messages },
		routes: {
			'GET /api/conversations.list': () => ({
				ok: true,
				channels: CHANNELS,
				response_metadata: { next_cursor: '' },
			}),
			'POST /api/chat.postMessage': ({ body: { channel: asked, text } }) => {
				const found = CHANNELS.find(({ id, name }) => asked === id || asked === `#${name}`);
				if (found === undefined) throw refusal('channel_not_found');
				const { id: channel } = found;
				if (typeof text !== 'string' || text === '') throw refusal('no_text');
				messages.push({ channel, text });
				const ts = `${messages.length}.000000`;
				return { ok: true, channel, ts, message: { type: 'message', ts, text } };
			},
		},
	});
	return { ...service, messages };
}
