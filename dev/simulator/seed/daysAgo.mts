const DAY = 24 * 3600 * 1000;

/**
 * A date of the seed in the format of the responses: so many days before the day on which the
 * simulator starts, at a time as `HH:MM` (UTC; default: noon).
 */
export type DaysAgo = (days: number, time?: string) => string;

/** Counts back from `today`, a day as `YYYY-MM-DD`. Dates at least one day ago have passed. */
export function countBackFrom(today: string): DaysAgo {
	const start = Date.parse(`${today}T00:00:00.000Z`);
	return (days, time = '12:00') =>
		new Date(start - days * DAY).toISOString().replace('00:00', time);
}
