/**
 * How often properties are tried. `npm run test:deep` multiplies it by RUNS, with other values each
 * time; a failure prints the seed that repeats it. Otherwise the values are the same in every run.
 */
const { RUNS } = process.env;

/** What fast-check is told about a property that is tried so often in `npm test`. */
export const runs = (count: number): { numRuns: number; seed?: number } =>
	RUNS === undefined
		? { numRuns: count, seed: 20261121 }
		: { numRuns: Math.ceil(count * Number(RUNS)) };
