/**
 * Multiplies the number of runs by the environment variable RUNS. Values are random in each run of the tests, unless
 * SEED is set.
 */
const factor = Number(process.env.RUNS ?? 1);

/** Seed for fast-check, printed because checks with `fc.sample` do not report it. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.info(`SEED=${seed}`);

/** Returns fast-check's parameters for a property that `npm test` runs `count` times. */
export const runs = (count: number): { numRuns: number; seed: number } => ({
	numRuns: Math.ceil(count * factor),
	seed,
});
