/** Runs the probe against a simulator, as `npm run probe` would, without pauses. */
import type { Report } from '../../probe/model.mts';
import { runProbe, type RunOptions } from '../../probe/run.mts';
import { seed, startSimulator, type Settings, type Simulator } from '../../simulator/index.mts';
import { requestHelper } from '../../testbed/nodeRunner.mts';

const keysOf = ({ appKey, secretKey, username, password }: typeof seed.dealer) => ({
	appKey,
	secretKey,
	username,
	password,
});

/** What the service had before a run, the run's report, and what the service saw of it. */
export interface Ran {
	report: Report;
	before: State;
	after: State;
	requests: Simulator['control']['requests'];
	control: Simulator['control'];
}

type State = ReturnType<Simulator['control']['state']>;

/** Options of a run; `onStart` may change the service, and end the run. */
export type Options = Partial<Omit<RunOptions, 'onProgress' | 'onRequest'>> & {
	user?: keyof typeof users;
	/** Called when a step begins. */
	onStep?: (step: string, simulator: Simulator) => void;
	/** Called before each request is sent. */
	onRequest?: (url: string) => void;
};

const users = { dealer: seed.dealer, lapsed: seed.lapsed, restricted: seed.restricted };

/** Runs the probe against a new simulator with these settings. */
export async function run(settings: Partial<Settings>, options: Options = {}): Promise<Ran> {
	const { user = 'dealer', onStep, onRequest, ...rest } = options;
	const simulator = await startSimulator({ aiStepSeconds: 0.01, ...settings });
	const { control } = simulator;
	const send = requestHelper();
	const before = control.state();
	try {
		const report = await runProbe({
			baseUrl: simulator.url,
			keys: keysOf(users[user]),
			httpRequest: async (request) => {
				onRequest?.((request as { url: string }).url);
				return await send(request as never);
			},
			signal: new AbortController().signal,
			intervalMs: 0,
			onProgress: (step) => onStep?.(step, simulator),
			...rest,
		});
		return { report, before, after: control.state(), requests: [...control.requests], control };
	} finally {
		await simulator.stop();
	}
}

/** The operations with a verdict. */
export const operationsWith = ({ endpoints }: Report, verdict: string): string[] =>
	endpoints.filter((one) => one.verdict === verdict).map(({ operation }) => operation);

/** How many rows each table has more than before. */
export function growth({ before, after }: Ran): Record<string, number> {
	const grown = Object.entries(after).map(([table, rows]): [string, number] => [
		table,
		rows.length - before[table]!.length,
	]);
	// Its rows are counters of the database itself.
	return Object.fromEntries(
		grown.filter(([table, count]) => count !== 0 && table !== 'sqlite_sequence'),
	);
}
