/**
 * How often properties are tried, times RUNS (`npm run test:deep` tries them more often), and with which
 * values: others in each run, unless SEED repeats those of an earlier one.
 */
const factor = Number(process.env.RUNS ?? 1);

/** What fast-check starts from. A failure shows it, but not for what is checked without fast-check. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.info(`SEED=${seed}`);

/** What fast-check is told about a property that is tried so often in `npm test`. */
export const runs = (count: number): { numRuns: number; seed: number } => ({
	numRuns: Math.ceil(count * factor),
	seed,
});
