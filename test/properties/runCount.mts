/** The runs of a property, times RUNS. The values are new each time, unless SEED repeats them. */
const factor = Number(process.env.RUNS ?? 1);

/** The seed of fast-check. A failure shows it, except in checks without fast-check. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.info(`SEED=${seed}`);

/** The parameters of fast-check for a property with that many runs in `npm test`. */
export const runs = (count: number): { numRuns: number; seed: number } => ({
	numRuns: Math.ceil(count * factor),
	seed,
});
