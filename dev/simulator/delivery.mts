import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import axios from 'axios';
import type { Row } from './database.mts';
import type { ServiceEvent, Context } from './context.mts';
import { invalid } from './errors.mts';

/** Addresses that are not reachable over the public internet: private and link-local ones. */
const UNROUTABLE = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.|^\[(?:::|f[cde])/;

const isLoopback = (url: URL): boolean =>
	['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);

/** Whether the host of a URL can be public. Names are judged by their form, without DNS. */
const isPublic = ({ hostname }: URL): boolean =>
	!UNROUTABLE.test(hostname) &&
	(isIP(hostname) !== 0 || (/[.:]/.test(hostname) && !/\.(?:local|internal)$/.test(hostname)));

/** Trims the URL of a subscription; 400 unless it is public and https, or on this machine. */
export function checkWebhookUrl(text: string): string {
	const trimmed = text.trim();
	const url = URL.parse(trimmed);
	if (url && /^https?:$/.test(url.protocol) && isLoopback(url)) return trimmed;
	if (url?.protocol !== 'https:') throw invalid('Url', 'Url must be an absolute https:// URL.');
	if (!isPublic(url)) throw invalid('Url', 'Url must be publicly routable.');
	return trimmed;
}

/** Delivers events to subscriptions. Deliveries are stored in the table `deliveries`. */
export class Deliveries {
	private readonly context: Context;
	private readonly underWay = new Map<number, Promise<void>>();
	private cancelTimer = () => {};
	private readonly stopping = new AbortController();

	constructor(context: Context) {
		this.context = context;
	}

	queue({ accountId, type, data }: ServiceEvent): void {
		const { database, clock } = this.context;
		const subscriptions = database
			.rows('subscriptions', { account_id: accountId, is_enabled: 1 })
			.filter((row) => String(row.events).split(',').includes(type));
		for (const subscription of subscriptions) {
			// The ID identifies the delivery; that retries keep it is assumed.
			const id = `evt_${randomBytes(12).toString('hex')}`;
			database.insert('deliveries', {
				event_id: id,
				subscription_id: subscription.id,
				url: subscription.url,
				event_type: type,
				body: JSON.stringify({ id, type, created: clock.iso(), data }),
				next_attempt_at: clock.now(),
			});
		}
	}

	wake(): void {
		this.cancelTimer();
		if (this.stopping.signal.aborted) return;
		const { database, clock } = this.context;
		const pending = database
			.rows('deliveries', { state: 'pending' })
			.filter((row) => !this.underWay.has(Number(row.id)));
		const due = pending.filter((row) => Number(row.next_attempt_at) <= clock.now());
		for (const { id } of due) {
			const attempt = this.attempt(Number(id)).finally(() => {
				this.underWay.delete(Number(id));
				this.wake();
			});
			this.underWay.set(Number(id), attempt);
		}
		const later = pending.filter((row) => !due.includes(row));
		if (later.length > 0) {
			const next = Math.min(...later.map((row) => Number(row.next_attempt_at)));
			this.cancelTimer = clock.at(next, () => this.idle());
		}
	}

	private async attempt(id: number): Promise<void> {
		const { database, clock, settings } = this.context;
		const delivery = database.row('deliveries', { id })!;
		const where = { id: delivery.subscription_id, is_enabled: 1 };
		const subscription = database.row('subscriptions', where);
		if (!subscription) {
			database.update('deliveries', id, { state: 'cancelled' });
			return;
		}
		const outcome = await this.send(subscription, Buffer.from(String(delivery.body)));
		// Interrupted because the simulator stops.
		if (outcome.status === null && this.stopping.signal.aborted) return;
		const attempts = Number(delivery.attempts) + 1;
		const isDone = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
		const delay = settings.webhookRetrySeconds[attempts - 1];
		const state = isDone ? 'delivered' : delay === undefined ? 'failed' : 'pending';
		const columns = {
			...{ attempts, state, last_status: outcome.status, last_error: outcome.error },
			next_attempt_at: clock.now() + (delay ?? 0) * 1000,
		};
		database.updateAll('deliveries', { id, state: 'pending' }, columns);
		settings.log(
			`webhook ${delivery.event_type} to ${subscription.url}: ${outcome.status ?? outcome.error}` +
				(state === 'pending' ? `, retry ${attempts} later` : ''),
		);
	}

	/** Sends a delivery; its signed text is the time in seconds, a dot and the raw body. */
	private async send(
		subscription: Row,
		body: Buffer,
	): Promise<{ status: number | null; error: string | null }> {
		const { clock, settings } = this.context;
		const url = String(subscription.url);
		if (!isLoopback(new URL(url))) {
			return { status: null, error: 'not sent: the simulator delivers to this machine only' };
		}
		const t = Math.floor(clock.now() / 1000);
		const hmac = createHmac('sha256', String(subscription.secret_key));
		const signature = `t=${t},v1=${hmac.update(`${t}.`).update(body).digest('hex')}`;
		try {
			const { status } = await axios.post(url, body, {
				headers: { 'Content-Type': 'application/json', 'X-Webhook-Signature': signature },
				timeout: settings.webhookTimeoutMs,
				signal: this.stopping.signal,
				...{ maxRedirects: 0, proxy: false, validateStatus: () => true },
				// The response body is not used, and could be large.
				...{ maxContentLength: 1024 * 1024, responseType: 'text' },
			});
			return { status, error: null };
		} catch (error) {
			return { status: null, error: (error as Error).message };
		}
	}

	/** Resolves when no attempt is being sent or due; retries may still be scheduled. */
	async idle(): Promise<void> {
		this.wake();
		while (this.underWay.size > 0) await Promise.all(this.underWay.values());
	}

	async stop(): Promise<void> {
		this.stopping.abort();
		this.cancelTimer();
		await Promise.all(this.underWay.values());
	}
}
