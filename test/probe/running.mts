/** Runs the probe against a simulator or a practice service, without pauses between its requests. */
import type { ProbeOptions } from '../../dev/probe/probe.mts';
import { runProbe, type Result } from '../../dev/probe/run.mts';
import type { EndpointReport, Report, Verdict } from '../../dev/probe/report.mts';
import { seed, startSimulator, type Settings, type Simulator } from '../../dev/simulator/index.mts';
import { startPracticeService, type ServiceName } from '../../dev/simulator/otherService/index.mts';
import { requestHelper } from '../../dev/testbed/nodeRunner.mts';
import { startGateway } from './gateway.mts';

type State = ReturnType<Simulator['control']['state']>;

export interface Ran extends Result {
	/** What the service had before and after. */
	before: State;
	after: State;
	requests: Simulator['control']['requests'];
	control: Simulator['control'];
}

type Options = Partial<Omit<ProbeOptions, 'onStep'>> & {
	settings?: Partial<Settings>;
	service?: ServiceName;
	user?: 'dealer' | 'lapsed' | 'restricted';
	/** What a proxy between the probe and the service changes. */
	gateway?: Parameters<typeof startGateway>[1];
	/** Called when the checks of a resource begin. */
	onStep?: (step: string, control: Simulator['control']) => void;
};

export const keysOf = ({ appKey, secretKey, username, password }: typeof seed.dealer) => ({
	appKey,
	secretKey,
	username,
	password,
});

/** Time that passes only while the probe waits. */
export function standingClock() {
	let time = Date.now();
	return { now: () => time, wait: async (ms: number) => void (time += ms) };
}

export async function run({
	settings,
	service,
	user = 'dealer',
	gateway,
	onStep,
	...rest
}: Options = {}): Promise<Ran> {
	const all = { aiStepSeconds: 0.01, ...settings };
	const simulator = service ? await startPracticeService(service, all) : await startSimulator(all);
	const proxy = gateway && (await startGateway(simulator.port, gateway));
	const { control } = simulator;
	const before = control.state();
	try {
		const result = await runProbe({
			baseUrl: proxy?.url ?? simulator.url,
			keys: keysOf(seed[user]),
			httpRequest: requestHelper() as never,
			signal: new AbortController().signal,
			clock: standingClock(),
			pauseMs: 20,
			onStep: (step) => onStep?.(step, control),
			...rest,
		});
		return { ...result, before, after: control.state(), requests: [...control.requests], control };
	} finally {
		await proxy?.stop();
		await simulator.stop();
	}
}

export const operationsWith = ({ endpoints }: Report, verdict: Verdict): string[] =>
	endpoints.filter((one) => one.verdict === verdict).map(({ operation }) => operation);

export const endpointIn = ({ endpoints }: Report, operation: string): EndpointReport =>
	endpoints.find((one) => one.operation === operation)!;

/** How many rows each table has more than before. */
export const growth = ({ before, after }: Ran): Record<string, number> =>
	Object.fromEntries(
		Object.entries(after)
			.map(([table, rows]): [string, number] => [table, rows.length - before[table]!.length])
			// Its rows are counters of the database itself.
			.filter(([table, count]) => count !== 0 && table !== 'sqlite_sequence'),
	);
