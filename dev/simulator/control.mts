import { setTimeout as sleep } from 'node:timers/promises';

import type { AiWork } from './ai/work.mts';
import { Changes } from './control/changes.mts';
import type { Gate, HoldTime } from './gates.mts';
import type { Fault } from './faults.mts';
import type { RecordedRequest } from './requestLog.mts';
import type { ServerParts } from './server.mts';
import type { Deliveries } from './webhooks/delivery.mts';

/** What a running simulator consists of. */
interface Service extends ServerParts {
	deliveries: Deliveries;
	ai: AiWork;
}

/** How often it is looked whether deliveries that wait for a retry have ended. */
const POLL_MS = 20;

/**
 * Controls a simulator from within its process; tests, benchmarks and the demo use it. Here:
 * recorded requests, failures, clock, keys, background work. Inherited: reading
 * (`control/readings.mts`) and changing (`control/changes.mts`) what the service has stored.
 */
export class Control extends Changes {
	private readonly service: Service;

	constructor(service: Service) {
		super(service.context);
		this.service = service;
	}

	/** Responses that broke the contract: a defect of the simulator unless it is empty. */
	get contractViolations(): readonly string[] {
		return this.service.violations;
	}

	/** Every request to the API since the start or `clearRequests`, in order of arrival. */
	get requests(): readonly RecordedRequest[] {
		return this.service.requestLog.requests;
	}

	/** Empties `requests`, and with it what `exchangeCount` counts. */
	clearRequests(): void {
		this.service.requestLog.requests = [];
	}

	/** How many key exchanges were attempted since the start or `clearRequests`. */
	exchangeCount(): number {
		return this.requests.filter((one) => one.operationId === 'authentication.exchangeKey').length;
	}

	/** Makes coming requests fail; see `Fault` for the ways. */
	failNext(fault: Fault): void {
		this.service.faults.plan(fault);
	}

	/** Drops the planned failures that have not happened yet. */
	clearFaults(): void {
		this.service.faults.clear();
	}

	/** Ends every user key issued so far, except the one in `except`; returns how many there were. */
	expireUserKeys(except = ''): number {
		return this.context.database.run('DELETE FROM user_keys WHERE key <> ?', except).changes;
	}

	/** Sets how long every request waits before it is handled, in milliseconds. */
	setLatency(milliseconds: number): void {
		this.context.settings.latencyMs = milliseconds;
	}

	/** The service's time in milliseconds since 1970. */
	now(): number {
		return this.context.clock.now();
	}

	/**
	 * Moves the service's clock by a number of seconds (negative: back). What is due on the way, AI
	 * work and retries of deliveries, happens at its time; resolves when it is done.
	 */
	async advance(seconds: number): Promise<void> {
		await this.context.clock.advance(seconds);
	}

	/**
	 * Holds the coming requests to an operation: before they have an effect, or `after`, when only
	 * the response is missing.
	 */
	hold(operationId: string, when: HoldTime = 'before'): Gate {
		return this.service.gates.hold(operationId, when);
	}

	/** Resolves when no delivery is being sent or due; retries may still be scheduled. */
	idle(): Promise<void> {
		return this.service.deliveries.idle();
	}

	/** Resolves when every delivery is delivered, has failed for good, or is canceled. */
	async whenDelivered(): Promise<void> {
		while (this.pendingDeliveryCount() > 0) {
			await this.idle();
			await sleep(POLL_MS);
		}
	}

	/** Makes the next outline that is generated end as Failed. */
	failNextOutline(): void {
		this.service.ai.failNext('outlines');
	}

	/** Makes the next build that is started end as Failed and leave the proposal as it is. */
	failNextBuild(): void {
		this.service.ai.failNext('builds');
	}

	/**
	 * Completes all AI work at once, events included.
	 *
	 * @returns the number of steps, two for content that was just uploaded; 0 when there was nothing
	 *   to do
	 */
	finishAi(): number {
		return this.service.ai.finish();
	}

	/** Saves the whole state, so that many tests can start from it; see `restoreState`. */
	keepState(): void {
		this.context.database.keep();
	}

	/** Restores the saved state, the next IDs included. User keys stay valid. */
	restoreState(): void {
		const { database } = this.context;
		const keys = database.all('SELECT * FROM user_keys');
		database.restore();
		database.run('DELETE FROM user_keys');
		for (const key of keys) database.insert('user_keys', key);
		this.service.ai.wake();
	}
}
