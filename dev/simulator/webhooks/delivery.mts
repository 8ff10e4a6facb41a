import { createHmac, randomBytes } from 'node:crypto';
import axios from 'axios';
import type { Row } from '../database.mts';
import type { ServiceEvent, Context } from '../context.mts';
import { isLoopback } from './address.mts';

/** `t=<unix seconds>,v1=<hex>`; the signed text is `t`, a dot and the raw body. */
function signatureHeader(secretKey: string, body: Buffer, now: number): string {
	const seconds = Math.floor(now / 1000);
	const digest = createHmac('sha256', secretKey).update(`${seconds}.`).update(body).digest('hex');
	return `t=${seconds},v1=${digest}`;
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

	/** Queues an event for every enabled subscription of the account to its type. */
	queue({ accountId, type, data }: ServiceEvent): void {
		const { database, clock } = this.context;
		const subscriptions = database
			.all('SELECT * FROM subscriptions WHERE account_id = ? AND is_enabled = 1', accountId)
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

	/** Starts the attempts that are due and sets the timer for the next one. */
	wake(): void {
		this.cancelTimer();
		if (this.stopping.signal.aborted) return;
		const { database, clock } = this.context;
		const pending = database
			.all(`SELECT id, next_attempt_at FROM deliveries WHERE state = 'pending' ORDER BY id`)
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
		const delivery = database.get('SELECT * FROM deliveries WHERE id = ?', id)!;
		const subscription = database.get(
			'SELECT * FROM subscriptions WHERE id = ? AND is_enabled = 1',
			delivery.subscription_id!,
		);
		if (!subscription) {
			database.run(`UPDATE deliveries SET state = 'cancelled' WHERE id = ?`, id);
			return;
		}
		const outcome = await this.send(subscription, Buffer.from(String(delivery.body)));
		// Interrupted because the simulator stops.
		if (outcome.status === null && this.stopping.signal.aborted) return;
		const attempts = Number(delivery.attempts) + 1;
		const isDone = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
		const delay = settings.webhookRetrySeconds[attempts - 1];
		const state = isDone ? 'delivered' : delay === undefined ? 'failed' : 'pending';
		database.run(
			`UPDATE deliveries SET attempts = ?, last_status = ?, last_error = ?, state = ?,
				next_attempt_at = ? WHERE id = ? AND state = 'pending'`,
			attempts,
			outcome.status,
			outcome.error,
			state,
			clock.now() + (delay ?? 0) * 1000,
			id,
		);
		settings.log(
			`webhook ${delivery.event_type} to ${subscription.url}: ${outcome.status ?? outcome.error}` +
				(state === 'pending' ? `, retry ${attempts} later` : ''),
		);
	}

	private async send(
		subscription: Row,
		body: Buffer,
	): Promise<{ status: number | null; error: string | null }> {
		const { clock, settings } = this.context;
		const url = String(subscription.url);
		if (!isLoopback(new URL(url))) {
			return { status: null, error: 'not sent: the simulator delivers to this machine only' };
		}
		try {
			const { status } = await axios.post(url, body, {
				headers: {
					'Content-Type': 'application/json',
					'X-Webhook-Signature': signatureHeader(
						String(subscription.secret_key),
						body,
						clock.now(),
					),
				},
				maxRedirects: 0,
				timeout: settings.webhookTimeoutMs,
				validateStatus: () => true,
				proxy: false,
				signal: this.stopping.signal,
				// The response body is not used, and could be large.
				maxContentLength: 1024 * 1024,
				responseType: 'text',
			});
			return { status, error: null };
		} catch (error) {
			return { status: null, error: error instanceof Error ? error.message : String(error) };
		}
	}

	/** Resolves when no attempt is being sent or due; retries may still be scheduled. */
	async idle(): Promise<void> {
		this.wake();
		while (this.underWay.size > 0) await Promise.all(this.underWay.values());
	}

	/** Stops and interrupts current attempts. */
	async stop(): Promise<void> {
		this.stopping.abort();
		this.cancelTimer();
		await Promise.all(this.underWay.values());
	}
}
