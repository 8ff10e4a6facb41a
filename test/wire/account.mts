/** Provides stored credentials for a simulator's accounts. */
import { seed, startSimulator, type Fault } from '../../dev/simulator/index.mts';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
	execute,
	executeWorkflow,
	pollingTriggerNode,
	StoredCredential,
	type Run,
} from '../../dev/testbed/nodeRunner.mts';

export { seed };

/** Advice that a person in n8n can follow, but a model that calls a tool cannot. */
export const ADVICE_FOR_PEOPLE =
	/turn o(n|ff)|choose|from the list|set '|expression|(previous|earlier) step|remove the (field|expression)|HTTP Request/i;

export const by = (mode: string, value: string | number) => ({ __rl: true as const, mode, value });

export async function startService(options: Parameters<typeof startSimulator>[0] = {}) {
	const simulator = await startSimulator(options);
	return {
		simulator,
		control: simulator.control,
		credential: (name: 'dealer' | 'lapsed' | 'otherDealer' = 'dealer', changes: object = {}) => {
			const address = { environment: 'custom', baseUrl: simulator.url };
			return new StoredCredential({ ...address, ...seed[name], ...changes });
		},
	};
}

/** Simulator that runs during a file's tests, with the dealer's credential. */
export type FileService = ReturnType<typeof fileService>;

/** Starts a simulator for the tests of a file. Afterward, checks that no response has broken the contract. */
export function fileService(options: Parameters<typeof startSimulator>[0] = {}) {
	let service: Awaited<ReturnType<typeof startService>>;
	let account: StoredCredential;
	const run = runner(() => account);
	const requestsOf = (id: string) =>
		service.control.requests.filter(({ operationId }) => operationId === id);
	beforeAll(async () => {
		service = await startService(options);
		account = service.credential();
	});
	afterAll(async () => {
		expect(service.control.contractViolations).toEqual([]);
		await service.simulator.stop();
	});
	return {
		get simulator() {
			return service.simulator;
		},
		get control() {
			return service.control;
		},
		get account() {
			return account;
		},
		credential: (...given: Parameters<typeof service.credential>) => service.credential(...given),
		run,
		/** Runs an operation in a workflow. Returns each output's items, the error, and the hints. */
		workflow: async (operation: string, parameters: object, more: Partial<Run> = {}) =>
			await executeWorkflow({ credential: account, operation, parameters, ...more }),
		polling: (event: string, parameters: object = {}, credential = account) =>
			pollingTriggerNode({ credential, parameters: { event, ...parameters } }),
		sent: () => service.control.requests.map(({ operationId }) => operationId),
		changes: () =>
			service.control.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ operationId }) => operationId),
		requestsOf,
		count: (operationId: string) => requestsOf(operationId).length,
		fail: (operationId: string, fault: Fault) =>
			service.control.failNext({ operationId, ...fault }),
		respond: (operationId: string, body: unknown, more: Fault = {}) =>
			service.control.failNext({ operationId, status: 200, body, ...more }),
		upload: async (proposalId: number, name: string) => {
			const data = Buffer.from('Two speakers in the den.').toString('base64');
			const file = { data, mimeType: 'text/plain', fileName: `${name}.txt` };
			const parameters = { proposalId, binaryPropertyName: 'data', additionalFields: { name } };
			const inputs = [{ json: {}, binary: { data: file } }];
			const [content] = await run('aiContent.upload', parameters, { inputs });
			return content!;
		},
	};
}

/**
 * Provides a service that each test finds in its initial state, without faults. A stored user API key avoids a login in
 * each test.
 */
export function restoredService(options?: Parameters<typeof startSimulator>[0]): FileService {
	const service = fileService(options);
	beforeAll(async () => {
		await service.run('user.getMany');
		service.control.keepState();
	});
	beforeEach(() => {
		service.control.clearFaults();
		service.control.restoreState();
		service.control.clearRequests();
	});
	return service;
}

/**
 * Returns a function that runs an operation by its name, such as `item.add`, and returns the output as plain objects.
 * Each run uses the credential that `credential` returns.
 */
export function runner(
	credential: () => StoredCredential,
): (name: string, parameters?: object, more?: Partial<Run>) => Promise<IDataObject[]> {
	return async (operation, parameters = {}, more = {}) => {
		const output = await execute({ credential: credential(), operation, parameters, ...more });
		return output.map(({ json }) => json);
	};
}
