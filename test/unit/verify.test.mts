/** Which secrets and which times the webhook trigger accepts. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forget, remember } from '../../nodes/PortalIoTrigger/memory.ts';
import { refusal } from '../../nodes/PortalIoTrigger/signature.ts';
import { event, NOW, subscription, Trigger, URL } from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('the tolerance', () => {
	const isAccepted = async (age: number, toleranceSeconds?: unknown) => {
		const trigger = new Trigger({ parameters: { options: { toleranceSeconds } as never } });
		return await trigger.take(event(), { time: NOW - age });
	};

	it.each([
		// docs/portal-api.md#webhook-deliveries: five minutes.
		[undefined, 300],
		[600, 600],
		['600', 600],
		[1, 1],
		// What could switch the check off.
		[0, 300],
		[-1, 300],
		['soon', 300],
		[Number.NaN, 300],
		[Infinity, 300],
		[null, 300],
		// 14 h 40 min: a little more than the age of the last retry.
		[1_000_000, 52_800],
		[52_800, 52_800],
	])('%j means %i seconds', async (given, seconds) => {
		expect(await isAccepted(seconds, given)).toBe(true);
		expect(await isAccepted(seconds + 1, given)).toBe(401);
	});
});

describe('the secret', () => {
	const ofProcess = subscription(2, 'of the process');
	const secret = 'of the process';
	beforeEach(() => remember(new Trigger({ memory: {} }).context(), URL, ofProcess));
	afterEach(() => forget(new Trigger({ memory: {} }).context(), URL));

	it('may be the one that this process subscribed last, which is then remembered', async () => {
		const outdated = new Trigger();
		expect(await outdated.take(event(), { secret })).toBe(true);
		expect(outdated.memory).toEqual({ url: URL, subscriptions: ofProcess });
		expect(outdated.log).toEqual([]);
	});

	it('may be that of an address that n8n does not name', async () => {
		const nameless = new Trigger({ memory: {}, url: undefined });
		remember(nameless.context(), '', ofProcess);
		expect(await new Trigger({ url: undefined }).take(event(), { secret })).toBe(true);
		forget(nameless.context(), '');
	});

	it('may be none of another address', async () => {
		for (const url of [`${URL}/other`, undefined]) {
			const elsewhere = new Trigger({ url });
			expect(await elsewhere.take(event(), { secret })).toBe(401);
			expect(elsewhere.memory).toEqual({ subscriptions: subscription(1, 'ours') });
		}
	});

	it('is not changed by a delivery that is wrong by both', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { secret: 'wrong' })).toBe(401);
		expect(trigger.log).toEqual(['Portal.io Trigger: delivery refused, wrong signature']);
		expect(trigger.memory).toEqual({ subscriptions: subscription(1, 'ours') });
	});

	it('is not changed by a delivery that is right by the static data', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		expect(trigger.memory).toEqual({ subscriptions: subscription(1, 'ours') });
	});

	it('of the process does not let in what is too old', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { secret, time: NOW - 301 })).toBe(401);
		expect(trigger.memory).toEqual({ subscriptions: subscription(1, 'ours') });
	});

	it('of the active workflow is foreign to a test run in the editor', async () => {
		const testing = new Trigger({ mode: 'manual' });
		expect(await testing.take(event(), { secret })).toBe(401);
		expect(testing.memory).toEqual({ subscriptions: subscription(1, 'ours') });
		expect(await testing.take()).toBe(true);
	});
});

describe('the header of a signature', () => {
	const body = Buffer.from('{}');
	const digest = (time: string) =>
		createHmac('sha256', 'ours').update(`${time}.`).update(body).digest('hex');
	const check = (header: string) =>
		refusal({ header, body, secrets: ['ours'], now: NOW * 1000, toleranceSeconds: 300 });
	const time = String(NOW);
	const v1 = digest(time);

	it('is read up to 4,096 characters', () => {
		const header = `t=${time},v1=${v1},v0=`;
		expect(check(header.padEnd(4096, 'x'))).toBeUndefined();
		expect(check(header.padEnd(4097, 'x'))).toBe('malformed signature');
	});

	it.each([
		['an eleventh digit', `0${time}`, undefined],
		['a twelfth digit', `00${time}`, 'malformed signature'],
		['a letter before it', `x${time}`, 'malformed signature'],
		['a letter after it', `${time}x`, 'malformed signature'],
		['nothing', '', 'malformed signature'],
		['a second line', `${time}\nx`, 'malformed signature'],
	])('has a time with %s', (_what, signedTime, outcome) => {
		expect(check(`t=${signedTime},v1=${digest(signedTime)}`)).toBe(outcome);
	});

	it.each([
		['a digit more before it', `0${v1}`],
		['a digit more after it', `${v1}0`],
		['another sign in it', v1.replace(/.$/, '=')],
		['a second line', `${v1}\nx`],
	])('has no digest with %s', (_what, given) => {
		expect(check(`t=${time},v1=${given}`)).toBe('malformed signature');
	});

	it.each(['T', 'tt', ''])('has no time by the name "%s"', (name) => {
		expect(check(`${name}=${time},v1=${v1}`)).toBe('malformed signature');
	});

	it.each(['V1', 'v11', 'v', 'v2', ''])('has no digest by the name "%s"', (name) => {
		expect(check(`t=${time},${name}=${v1}`)).toBe('malformed signature');
	});

	it('may have parts that are none of it', () => {
		expect(check(`t,v1,,=,t=${time},x,v1=${v1},`)).toBeUndefined();
		expect(check(`t=${time}=,v1=${v1}`)).toBe('malformed signature');
	});
});
