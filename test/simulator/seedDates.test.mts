import { expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';

const DAY = 24 * 3600 * 1000;

/** Every date that the seed has, by table, row and column. Due dates may lie ahead. */
function datesOf({ control }: Simulator): Map<string, number> {
	const dates = Object.entries(control.state()).flatMap(([table, rows]) =>
		rows.flatMap((row, index) =>
			Object.entries(row)
				.filter(([column, value]) => column.endsWith('_date') && value !== null)
				.map(([column, value]): [string, number] => [
					`${table} ${index} ${column}`,
					Date.parse(String(value)),
				]),
		),
	);
	return new Map(dates);
}

const startAndRead = async <T,>(today: string | undefined, read: (one: Simulator) => T) => {
	const simulator = await startSimulator({ today });
	const result = read(simulator);
	await simulator.stop();
	return result;
};

test('the dates of the seed have passed, the latest at most two days ago', async () => {
	const dates = await startAndRead(undefined, datesOf);
	expect(dates.size).toBeGreaterThan(100);
	const latest = Math.max(...dates.values());
	expect(latest).toBeLessThan(Date.now());
	expect(latest).toBeGreaterThan(Date.now() - 2 * DAY);
});

test('all of them move with the day of the start', async () => {
	const one = await startAndRead('2026-06-26', datesOf);
	const other = await startAndRead('2027-03-01', datesOf);
	const shift = Date.parse('2027-03-01') - Date.parse('2026-06-26');
	expect([...other]).toEqual([...one].map(([name, time]) => [name, time + shift]));
});

test('a submitted proposal is close to the end of the 30 days that prices hold', async () => {
	const submitted = await startAndRead(undefined, ({ control }) =>
		control.proposal(seed.proposals.viewed),
	);
	const age = (Date.now() - Date.parse(submitted.lastSubmittedDate)) / DAY;
	expect(submitted.status).toBe('ViewedByClient');
	expect(submitted.projectTerms).toContain('30 days');
	expect(age).toBeGreaterThan(26);
	expect(age).toBeLessThan(28);
});
