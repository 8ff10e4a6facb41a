/** Runs an operation of each kind under a fault, and counts how many of its changes the service made. */
import { inspect } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import { seed, type Control } from '../../dev/simulator/index.mts';
import type { StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { runCall, type Call, type Kind } from '../wire/calls.mts';
import type { FaultCase } from './faults.mts';

export interface ObservedOperation {
	name: string;
	kind: Kind;
	/** Index of the request that fails, if the operation sends several. */
	index?: number;
	parameters?: Call['parameters'];
	/** Number of times that the service made the requested change; undefined for a read. */
	done?: (control: Control) => number;
	progress?: string;
}

const { staleWholeHome, empty } = seed.proposals;
const firstItem = (control: Control) =>
	control.proposal(staleWholeHome).areas[0].options[0].items[0];

export const observedOperations: readonly ObservedOperation[] = [
	{ name: 'proposal.get', kind: 'read' },
	{ name: 'proposal.getMany', kind: 'read' },
	{
		name: 'proposal.assignContact',
		kind: 'set',
		done: (control) =>
			Number(control.proposal(staleWholeHome).customer.id === seed.contacts.abroad),
	},
	{
		name: 'item.update',
		kind: 'set',
		index: 1,
		done: (control) => Number(firstItem(control).sellPrice === 56.78),
		progress: "Set: 'Quantity'. Failed: 'Sell Price'. Not sent: 'Cost'.",
	},
	{
		name: 'webhookSubscription.delete',
		kind: 'delete',
		done: (control) => 1 - control.subscriptions().length,
	},
	{
		name: 'area.create',
		kind: 'create',
		done: (control) =>
			control
				.proposal(staleWholeHome)
				.areas.filter((one: { name: string }) => one.name === 'Boat House').length,
	},
	{
		name: 'aiContent.upload',
		kind: 'upload',
		done: (control) => control.uploads().filter(({ proposalId }) => proposalId === empty).length,
	},
];

export interface Bench {
	control: Control;
	credential: StoredCredential;
	call: Call;
	subject: ObservedOperation;
}

/**
 * Runs the operation under a fault. Returns the outcome, and traces of everything that the user might see or n8n might
 * log.
 */
export async function observe(bench: Bench, { arrange, disarrange }: FaultCase, otherHost: string) {
	const { control, subject, call } = bench;
	const operationId = call.requests[subject.index ?? 0]!;
	control.restoreState();
	control.clearRequests();
	await arrange(control, (fault) => control.failNext({ operationId, ...fault }), otherHost);
	const parameters = subject.parameters ?? call.parameters;
	// Two attempts are enough to show whether a request is sent again.
	const more = { requestOptions: { requestAttempts: 2 } };
	const running = runCall(bench.credential, subject.name, { ...call, parameters }, more);
	const { sees, warning, progress, traces } = await running.then(observeOutput, observeError);
	control.clearFaults();
	await disarrange?.(control);
	const isOwn = (id = '') => id.replace(/\.(alternate|newest)$/, '') === operationId;
	const sent = control.requests.filter((request) => isOwn(request.operationId)).length;
	const logins = control.loginCount();
	const requests = logins === 0 ? `${sent}` : `${sent}+${logins}`;
	const madeMark = ['○', '●'][subject.done?.(control) ?? 0] ?? '?';
	const cell = `${sees === 'a result' ? '✓' : '✗'} ${requests} ${madeMark}${warning}`;
	return { outcome: { sees, cell }, progress, traces };
}

const observeOutput = (output: INodeExecutionData[]) => ({
	sees: 'a result',
	warning: '',
	progress: '',
	traces: JSON.stringify(output),
});

export function observeError(error: Error & { description?: string | null }) {
	const description = error.description ?? '';
	const warning = /Check (in Portal\.io|with '.*') before you/.test(description)
		? ' ⚠'
		: description.includes('You can safely run the step again')
			? ' ↻'
			: '';
	const isActionable = description !== '' || /: (set|check|choose)/.test(error.message);
	return {
		sees: isActionable ? error.message : `${error.message} (and not what to do)`,
		warning,
		progress: /^(Set|Failed|Not sent): .*$/m.exec(description)?.[0] ?? '',
		traces: [JSON.stringify(error), inspect(error, { depth: 6 }), error.stack].join(),
	};
}
