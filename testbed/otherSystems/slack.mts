/**
 * Slack's Web API as far as n8n's Slack node uses it for messages: posting one, and reading what was
 * posted. As with Slack, refusals are `ok: false` with status 200.
 */
import express, { type Express, type Request, type Response } from 'express';
import { OtherSystem, type Records } from './system.mts';

/** A message as Slack keeps it. */
export interface SlackMessage {
	type: 'message';
	subtype: 'bot_message';
	channel: string;
	/** Its ID within the channel: seconds since 1970, with six decimals. */
	ts: string;
	text: string;
	blocks?: Block[];
}

interface Block {
	type: string;
	block_id?: string;
	text?: { type: string; text: string };
}

type Answer = Record<string, unknown>;

const MAX_BLOCK_ID = 255;
const MAX_BLOCK_TEXT = 3000;
const MAX_TEXT = 40_000;
const blockTypes = ['section', 'divider', 'header', 'context', 'actions', 'image', 'rich_text'];

const TOKEN = 'xoxb-simulated-workspace';

/** A workspace with some channels, of which the bot is a member. */
export class Slack extends OtherSystem {
	readonly name = 'Slack';
	readonly hosts = ['slack.com'];
	readonly credentials = [
		{
			name: 'Slack (simulated)',
			type: 'slackApi',
			nodes: ['n8n-nodes-base.slack'],
			data: { accessToken: TOKEN, signatureSecret: '' },
		},
	];
	/** IDs of channels by their names. */
	readonly channels = { purchasing: 'C0PURCHASE1', sales: 'C0SALES0001' };
	override readonly settings = { 'Slack Channel ID': this.channels.purchasing };
	readonly messages: SlackMessage[] = [];
	#lastTs = 0;

	protected clear(): void {
		this.messages.length = 0;
	}

	records(): Records {
		return { Messages: this.messages };
	}

	protected addRoutes(application: Express): void {
		application.use(express.json());
		const add = (verb: 'get' | 'post', name: string, answer: (request: Request) => Answer) =>
			this.#addMethod(application, verb, name, answer);
		add('get', 'users.profile.get', () => ({ profile: { real_name: 'n8n' } }));
		add('get', 'conversations.list', () => ({
			channels: Object.entries(this.channels).map(([name, id]) => ({ id, name, is_channel: true })),
			response_metadata: { next_cursor: '' },
		}));
		add('get', 'conversations.history', ({ query }) => this.#history(query));
		add('post', 'chat.postMessage', ({ body }) => this.#post(body));
		application.use((_request, response) => {
			response.json({ ok: false, error: 'unknown_method' });
		});
	}

	#addMethod(
		application: Express,
		verb: 'get' | 'post',
		name: string,
		answer: (request: Request) => Answer,
	): void {
		application[verb](`/api/${name}`, (request: Request, response: Response) => {
			const refusal = this.#refusal(request);
			const answered = refusal === undefined ? answer(request) : { error: refusal };
			response.json('error' in answered ? { ok: false, ...answered } : { ok: true, ...answered });
		});
	}

	#refusal({ headers }: Request): string | undefined {
		if (headers.authorization === undefined) return 'not_authed';
		return headers.authorization === `Bearer ${TOKEN}` ? undefined : 'invalid_auth';
	}

	#history({
		channel,
		oldest = '0',
		latest = 'Infinity',
		limit = '100',
	}: Request['query']): Answer {
		// Unlike chat.postMessage, it takes no names.
		const ids: unknown[] = Object.values(this.channels);
		if (!ids.includes(channel)) return { error: 'channel_not_found' };
		const found = this.messages
			.filter((one) => one.channel === channel)
			.filter(({ ts }) => Number(ts) > Number(oldest) && Number(ts) < Number(latest))
			.toReversed();
		const page = found.slice(0, Number(limit));
		return {
			messages: page.map(({ channel: _channel, ...message }) => message),
			has_more: page.length < found.length,
			response_metadata: { next_cursor: '' },
		};
	}

	#post({
		channel,
		text = '',
		blocks,
	}: {
		channel: string;
		text?: string;
		blocks?: Block[];
	}): Answer {
		const id = Object.entries(this.channels).find(([name, one]) =>
			[one, name, `#${name}`].includes(channel),
		)?.[1];
		if (id === undefined) return { error: 'channel_not_found' };
		if (text === '' && !blocks?.length) return { error: 'no_text' };
		if (text.length > MAX_TEXT) return { error: 'msg_too_long' };
		if (blocks && !areValid(blocks)) return { error: 'invalid_blocks' };
		this.#lastTs = Math.max(this.#lastTs + 1, Date.now() * 1000);
		const ts = (this.#lastTs / 1e6).toFixed(6);
		const withIds = blocks?.map((block, index) => ({ block_id: `b${ts}.${index}`, ...block }));
		const message: SlackMessage = {
			type: 'message',
			subtype: 'bot_message',
			channel: id,
			ts,
			text,
			...(withIds && { blocks: withIds }),
		};
		this.messages.push(message);
		return { channel: id, ts, message };
	}
}

function areValid(blocks: Block[]): boolean {
	const ids = blocks.flatMap(({ block_id: id }) => (id === undefined ? [] : [id]));
	return (
		Array.isArray(blocks) &&
		new Set(ids).size === ids.length &&
		ids.every((id) => id.length <= MAX_BLOCK_ID) &&
		blocks.every(
			({ type, text }) =>
				blockTypes.includes(type) &&
				(type !== 'section' ||
					(['plain_text', 'mrkdwn'].includes(text?.type ?? '') &&
						text!.text.length > 0 &&
						text!.text.length <= MAX_BLOCK_TEXT)),
		)
	);
}
