/**
 * How often properties are tried, times RUNS: `npm run test:deep` tries them more often, with other
 * values each time (a failure prints the seed that repeats it). Up to once, the values are the same in
 * every run.
 */
const factor = Number(process.env.RUNS ?? 1);

/** What fast-check is told about a property that is tried so often in `npm test`. */
export const runs = (count: number): { numRuns: number; seed?: number } => ({
	numRuns: Math.ceil(count * factor),
	...(factor > 1 ? {} : { seed: 20261121 }),
});
