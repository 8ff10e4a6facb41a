/**
 * Multiplies the number of runs by RUNS. The values differ in each run of the tests, unless SEED repeats them.
 */
const factor = Number(process.env.RUNS ?? 1);

/** Seed of fast-check, printed below for checks without fast-check. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.info(`SEED=${seed}`);

/** Returns fast-check's parameters for a property that `npm test` runs `count` times. */
export const runs = (count: number): { numRuns: number; seed: number } => ({
	numRuns: Math.ceil(count * factor),
	seed,
});
