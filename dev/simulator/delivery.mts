import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import axios from 'axios';
import type { Row } from './database.mts';
import type { ServiceEvent, State } from './context.mts';
import { invalid } from './errors.mts';
import { renderDate } from './render.mts';

/** IP addresses that cannot be reached from the public internet, such as private and link-local addresses. */
const UNROUTABLE = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.|^\[(?:::|f[cde])/;

const isLoopback = (url: URL): boolean =>
	['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);

/** Returns whether a URL's host can be public. Judges a host name only by its form, without DNS. */
const isPublic = ({ hostname }: URL): boolean =>
	!UNROUTABLE.test(hostname) &&
	(isIP(hostname) !== 0 || (/[.:]/.test(hostname) && !/\.(?:local|internal)$/.test(hostname)));

/** Trims a subscription's URL. Responds with 400 unless it is public and https, or on this machine. */
export function checkWebhookUrl(text: string): string {
	const trimmed = text.trim();
	const url = URL.parse(trimmed);
	if (url && /^https?:$/.test(url.protocol) && isLoopback(url)) return trimmed;
	if (url?.protocol !== 'https:') throw invalid('Url', 'Url must be an absolute https:// URL.');
	if (!isPublic(url)) throw invalid('Url', 'Url must be publicly routable.');
	return trimmed;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Delivers events to subscriptions, and stores deliveries in the table `deliveries`. */
export function createDeliveries({ database, clock, settings }: State) {
	const underWay = new Map<number, Promise<void>>();
	const stopping = new AbortController();

	/** Sends a delivery. The signed text is the time in seconds, a dot, and the raw body. */
	async function send(subscription: Row, { body, created_at }: Row) {
		const url = String(subscription.url);
		if (!isLoopback(new URL(url))) {
			return { status: null, error: 'not sent: the simulator delivers to this machine only' };
		}
		const isSignedOnce = settings.deliverySignature === 'once';
		const t = Math.floor((isSignedOnce ? Number(created_at) : clock.now()) / 1000);
		const hmac = createHmac('sha256', String(subscription.secret_key));
		const bytes = Buffer.from(String(body));
		const signature = `t=${t},v1=${hmac.update(`${t}.`).update(bytes).digest('hex')}`;
		const response = axios.post(url, bytes, {
			headers: {
				'Content-Type': 'application/json',
				'X-Webhook-Signature': signature,
			},
			timeout: settings.webhookTimeoutMs,
			signal: stopping.signal,
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
			maxContentLength: 1024 * 1024,
			responseType: 'text',
		});
		return await response.then(
			({ status }) => ({ status, error: null }),
			({ message }: Error) => ({ status: null, error: message }),
		);
	}

	async function attempt(id: number): Promise<void> {
		const delivery = database.row('deliveries', { id })!;
		const where = { id: delivery.subscription_id, is_enabled: 1 };
		const subscription = database.row('subscriptions', where);
		if (!subscription) {
			database.update('deliveries', id, { state: 'cancelled' });
			return;
		}
		const { status, error } = await send(subscription, delivery);
		// Do not count an attempt that failed because the simulator was stopped.
		if (status === null && stopping.signal.aborted) return;
		const attempts = Number(delivery.attempts) + 1;
		const isDone = status !== null && status >= 200 && status < 300;
		const delay = settings.webhookRetrySeconds[attempts - 1];
		const state = isDone ? 'delivered' : delay === undefined ? 'failed' : 'pending';
		const columns = {
			attempts,
			state,
			last_status: status,
			last_error: error,
			next_attempt_at: clock.now() + (delay ?? 0) * 1e3,
		};
		database.updateAll('deliveries', { id, state: 'pending' }, columns);
		const retry = state === 'pending' ? `, retry ${attempts} later` : '';
		settings.log(
			`webhook ${delivery.event_type} to ${subscription.url}: ${status ?? error}${retry}`,
		);
	}

	function wake(): void {
		if (stopping.signal.aborted) return;
		const pending = database
			.rows('deliveries', { state: 'pending' })
			.filter((row) => !underWay.has(Number(row.id)));
		const due = pending.filter((row) => Number(row.next_attempt_at) <= clock.now());
		for (const id of due.map((row) => Number(row.id))) {
			const ended = attempt(id).finally(() => {
				underWay.delete(id);
				wake();
			});
			underWay.set(id, ended);
		}
		const later = pending.filter((row) => !due.includes(row));
		clock.at(Math.min(...later.map((row) => Number(row.next_attempt_at))), idle);
	}

	/** Resolves when no attempt is being sent or due. Retries can still be scheduled. */
	async function idle(): Promise<void> {
		wake();
		while (underWay.size > 0) await Promise.all(underWay.values());
	}

	return {
		wake,
		idle,
		publish({ accountId, type, data }: ServiceEvent): void {
			const subscriptions = database
				.rows('subscriptions', {
					account_id: accountId,
					is_enabled: 1,
				})
				.filter((row) => String(row.events).split(',').includes(type));
			for (const subscription of subscriptions) {
				const id = `evt_${randomBytes(12).toString('hex')}`;
				database.insert('deliveries', {
					event_id: id,
					event_type: type,
					subscription_id: subscription.id,
					url: subscription.url,
					body: JSON.stringify({
						id,
						type,
						created: renderDate(clock.iso()),
						data,
					}),
					created_at: clock.now(),
					next_attempt_at: clock.now(),
				});
			}
			setImmediate(wake);
		},
		async stop() {
			stopping.abort();
			await Promise.all(underWay.values());
		},
	};
}
