/** Claims on deliveries, and what is saved of them, at their limits. */
import { describe, expect, it } from 'vitest';
import { Claims } from '../../nodes/PortalIoTrigger/claims.ts';
import {
	REMEMBERED_DELIVERIES,
	REMEMBERED_SECONDS,
	withTaken,
} from '../../nodes/PortalIoTrigger/seen.ts';

describe('a claim', () => {
	it('is kept to the last second in which a retry may come, whatever is claimed beside it', async () => {
		const claims = new Claims();
		(await claims.claim('node', 'first', 0))?.(true);
		(await claims.claim('node', 'second', REMEMBERED_SECONDS))?.(true);
		expect(await claims.claim('node', 'first', REMEMBERED_SECONDS)).toBeUndefined();
		expect([...claims.taken('node')]).toEqual([
			['first', 0],
			['second', REMEMBERED_SECONDS],
		]);
		(await claims.claim('node', 'third', REMEMBERED_SECONDS + 1))?.(true);
		expect([...claims.taken('node')].map(([key]) => key)).toEqual(['second', 'third']);
	});

	it('that is made again after it was given up does not keep older ones beyond their time', async () => {
		const claims = new Claims();
		(await claims.claim('node', 'given up', 0))?.(false);
		(await claims.claim('node', 'older', 10))?.(true);
		(await claims.claim('node', 'given up', 20))?.(true);
		(await claims.claim('node', 'later', REMEMBERED_SECONDS + 15))?.(true);
		expect([...claims.taken('node')].map(([key]) => key)).toEqual(['given up', 'later']);
	});

	it('that outlived its time takes nothing from the one after it', async () => {
		const claims = new Claims();
		const slow = await claims.claim('node', 'key', 0);
		const later = await claims.claim('node', 'key', REMEMBERED_SECONDS + 1);
		slow!(false);
		later!(true);
		expect(await claims.claim('node', 'key', REMEMBERED_SECONDS + 2)).toBeUndefined();
	});

	it('stays when others claim for the first time, for as long as a retry may come', async () => {
		const claims = new Claims();
		(await claims.claim('one', 'key', 0))?.(true);
		(await claims.claim('another', 'key', 1))?.(true);
		expect(await claims.claim('one', 'key', 2)).toBeUndefined();
		expect([...claims.taken('one')]).toEqual([['key', 0]]);
	});

	it('is nothing for a node without claims, nor while a claim is open', async () => {
		const claims = new Claims();
		expect([...claims.taken('node')]).toEqual([]);
		await claims.claim('node', 'key', 0);
		expect([...claims.taken('node')]).toEqual([]);
		expect([...claims.taken('another')]).toEqual([]);
	});
});

it('the static data keep the latest deliveries, in whatever order they are added', () => {
	const start = 1_800_000_000;
	const latest = Array.from({ length: REMEMBERED_DELIVERIES }, (_, index): [string, number] => [
		`key ${index}`,
		start + 1 + index,
	]);
	const now = start + REMEMBERED_DELIVERIES;
	const seen = withTaken({}, latest.toReversed(), now)!;
	expect(Object.entries(seen)).toEqual(latest);
	expect(withTaken(seen, [['older', start]], now)).toEqual(seen);
	const [oldest] = latest;
	const newer = withTaken(seen, [['newer', now]], now)!;
	expect(newer).not.toHaveProperty(oldest![0]);
	expect(Object.keys(newer)).toHaveLength(REMEMBERED_DELIVERIES);
});
