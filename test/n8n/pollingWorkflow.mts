/** Creates workflows, each with its own service, so a file's tests can run concurrently. */
import type { TestContext } from 'vitest';
import { credentialData, startService, type Environment } from '../../dev/testbed/environment.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, noOp, pollingTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { finishedExecutions } from './executions.mts';

/** Starts a service with its own credential, and creates a workflow that polls it for proposal statuses. */
export async function createPollingWorkflow(
	environment: Environment,
	{ onTestFinished }: TestContext,
	parameters: object = {},
) {
	const { n8n } = environment;
	const simulator = await startService();
	const { control } = simulator;
	const credential = await n8n.createCredential(
		`Portal.io at ${simulator.url}`,
		'portalIoApi',
		credentialData(simulator),
	);
	onTestFinished(async () => {
		await n8n.rest('DELETE', `/credentials/${credential.id}`);
		await simulator.stop();
	});
	/** Changes the password in the credential but not at Portal.io. */
	const setPassword = async (password: string) => {
		const { id, name, type } = credential;
		const data = { ...credentialData(simulator), password };
		await n8n.rest('PATCH', `/credentials/${id}`, { name, type, data });
	};
	const trigger = pollingTrigger('proposalStatusChanged');
	const parts = [{ ...trigger, parameters: { ...trigger.parameters, ...parameters } }, noOp];
	const account = { n8n, credential };
	const polling = await createChain(account, 'Polling', parts);
	const publish = async (workflow = polling) => {
		onTestFinished(() => n8n.deactivate(workflow));
		await n8n.activate(workflow);
	};
	/** Changes a polling workflow and publishes it. */
	const change = async (changes: object, workflow = polling) => {
		const { nodes, connections } = await n8n.rest<StoredWorkflow>(
			'GET',
			`/workflows/${workflow.id}`,
		);
		const [first, ...others] = nodes;
		const renamed = { ...first!, ...changes };
		await n8n.updateWorkflow(workflow, {
			nodes: [renamed, ...others],
			connections: { [renamed.name]: Object.values(connections)[0] },
		});
		await n8n.activate(workflow);
	};
	const reported = async (workflow = polling) =>
		(await finishedExecutions(environment, workflow)).flatMap((one) =>
			['Poll', 'Renamed'].flatMap((name) => itemsOf(one, name)),
		);
	const reports = async (count: number, workflow = polling) =>
		await until(`report ${count}`, async () => (await reported(workflow))[count - 1], 120_000);
	/** Waits until a poll that begins after now has ended. Each poll sends two requests. */
	const nextPoll = async () => {
		const { length } = control.requests;
		await until('two polls', () => control.requests.length >= length + 5 || undefined, 120_000);
	};
	return {
		...account,
		control,
		polling,
		publish,
		change,
		reported,
		reports,
		nextPoll,
		setPassword,
	};
}
