/** Runs the probe against a simulator or a practice service, without pauses between its requests. */
import { json } from 'node:stream/consumers';
import type { Json } from '../../dev/simulator/json.mts';
import type { ProbeOptions } from '../../dev/probe/probe.mts';
import { runProbe, type Result } from '../../dev/probe/run.mts';
import type { EndpointReport, Report, Verdict } from '../../dev/probe/report.mts';
import { seed, startSimulator, type Settings, type Simulator } from '../../dev/simulator/index.mts';
import { startPracticeService, type ServiceName } from '../../dev/simulator/otherService/index.mts';
import { requestHelper, StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { runner } from '../wire/account.mts';

type State = ReturnType<Simulator['control']['state']>;

export interface Ran extends Result {
	/** What the service had before and after. */
	before: State;
	after: State;
	requests: Simulator['control']['requests'];
	control: Simulator['control'];
}

/** Changes the data of a response, or all of it; undefined leaves it as it is. */
type Change = (method: string, url: URL, data: Json) => { status?: number; data: Json } | undefined;

type Options = Partial<Omit<ProbeOptions, 'onStep' | 'waitForItem'>> & {
	settings?: Partial<Settings>;
	service?: ServiceName;
	user?: 'dealer' | 'restricted';
	change?: Change;
	/** Called when the checks of a resource begin. */
	onStep?: (step: string, control: Simulator['control']) => void;
	/** Called when no item can be added. */
	addByHand?: (simulator: Simulator) => Promise<void>;
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

export const send: ProbeOptions['httpRequest'] = requestHelper() as never;

const sendWith =
	(change: Change): ProbeOptions['httpRequest'] =>
	async (request: Json) => {
		const response: Json = await send(request);
		const isJson = String(response.headers?.['content-type']).includes('json');
		if (!isJson) return response;
		const body = await json(response.body);
		const changed = change(request.method, new URL(request.url), body) ?? { data: body };
		const { status: statusCode = response.statusCode, data } = changed;
		return { ...response, statusCode, body: data };
	};

export async function run({
	settings,
	service,
	user = 'dealer',
	change,
	onStep,
	addByHand,
	...rest
}: Options = {}): Promise<Ran> {
	const all = { aiStepSeconds: 0.01, ...settings };
	const simulator = service ? await startPracticeService(service, all) : await startSimulator(all);
	const { control } = simulator;
	const before = control.state();
	try {
		const result = await runProbe({
			baseUrl: simulator.url,
			keys: keysOf(seed[user]),
			httpRequest: change ? sendWith(change) : send,
			signal: new AbortController().signal,
			clock: standingClock(),
			onStep: (step) => onStep?.(step, control),
			...(addByHand && { waitForItem: async () => await addByHand(simulator) }),
			...rest,
		});
		return { ...result, before, after: control.state(), requests: [...control.requests], control };
	} finally {
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

export const refuseItems = (control: Simulator['control']) =>
	control.failNext({ operationId: 'item.add', status: 400, times: 9999 });

/** Adds an item to the latest proposal, as somebody in Portal.io could at a service that refuses it. */
export async function addItemByHand({ url, control }: Simulator): Promise<void> {
	control.clearFaults();
	const { id: proposalId } = control.proposals().at(-1)!;
	const areaOptionId = control.proposal(Number(proposalId)).areas[0].options[0].id;
	const account = { environment: 'custom', baseUrl: url, ...seed.dealer };
	const items = { item: [{ itemId: seed.catalogItems.speaker }] };
	const add = runner(() => new StoredCredential(account));
	await add('item.add', { proposalId, areaOptionId, items });
	refuseItems(control);
}
