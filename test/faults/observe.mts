/** Runs one operation under one fault, and says what came of it. */
import { inspect } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Control } from '../../simulator/index.mts';
import { execute, type StoredCredential } from '../../testbed/nodeRunner.mts';
import { requestsOf, type Call } from '../wire/calls.mts';
import type { Doubt, FaultCase, Held, Outcome, Surroundings } from './faults.mts';

/** A service of its own for one operation, with its key exchanged. */
export interface Bench {
	control: Control;
	credential: StoredCredential;
	name: string;
	call: Call;
	/** The state before the operation, and after each of its requests in a run without faults. */
	states: string[];
}

/** An outcome with everything that the user, n8n's log or database could have got of it. */
export interface Observation {
	outcome: Outcome;
	/** What the error says about the fields of several requests; '' when it says nothing. */
	progress: string;
	traces: string;
}

/** What differs from run to run although the same was done. */
const PASSING = /date$|_at$|^secret_key$|^sha256$/;

/** The whole state of the service but for dates and secrets. */
export const stateOf = (control: Control) =>
	JSON.stringify(control.state(), (column, value: unknown) =>
		PASSING.test(column) ? undefined : value,
	);

/** Runs the operation of a bench once. */
export async function perform({
	credential,
	name,
	call,
}: Pick<Bench, 'credential' | 'name' | 'call'>) {
	const [resource, operation] = name.split('.') as [string, string];
	const input: INodeExecutionData = { json: {} };
	if (call.file !== undefined) input.binary = { data: call.file };
	return await execute({
		credential,
		// Twice shows all that more often would, and the waits between tries grow.
		parameters: { resource, operation, ...call.parameters, requestOptions: { requestAttempts: 2 } },
		inputs: [input],
	});
}

/** The state before the operation, which is kept to start from, and after each of its requests. */
export async function statesOf(bench: Omit<Bench, 'states'>): Promise<string[]> {
	const { control, name, call } = bench;
	control.keepState();
	const states = [stateOf(control)];
	for (const { id } of requestsOf(name, call).slice(1)) {
		control.failNext({ operationId: id, status: 400 });
		await perform(bench).then(
			() => Promise.reject(new Error(`${name} does not send ${id}`)),
			() => states.push(stateOf(control)),
		);
		control.restoreState();
	}
	await perform(bench);
	return [...states, stateOf(control)];
}

/**
 * Runs the operation under a fault, from the state before.
 *
 * @param index of the request that the fault is meant for
 */
export async function observe(
	bench: Bench,
	{ arrange }: FaultCase,
	surroundings: Surroundings,
	index = 0,
): Promise<Observation> {
	const { control, name, call } = bench;
	const { id: operationId } = requestsOf(name, call)[index]!;
	control.restoreState();
	control.clearRequests();
	arrange(control, (fault) => control.failNext({ operationId, ...fault }), surroundings);
	const { sees, doubt, progress, traces } = await perform(bench).then(shown, told);
	control.clearFaults();
	control.setClockOffset(0);
	const isOwn = (id = '') => id.replace(/\.alternate$/, '') === operationId;
	return {
		outcome: {
			sees,
			doubt,
			sent: control.requests.filter((request) => isOwn(request.operationId)).length,
			logins: control.exchangeCount(),
			held: heldBy(bench, index, sees === RESULT),
		},
		progress,
		traces,
	};
}

const RESULT = 'a result';

const shown = (output: INodeExecutionData[]) => ({
	sees: RESULT,
	doubt: '' as Doubt,
	progress: '',
	traces: JSON.stringify(output),
});

/** What a user is told by an error, and everything that could be found of it. */
export function told(error: Error & { description?: string | null }) {
	const description = error.description ?? '';
	const doubt: Doubt = /Check (in Portal\.io|with 'Get Many'.*) before you/.test(description)
		? 'twice'
		: description.includes('Running the step again does no harm')
			? 'harmless'
			: '';
	const isActionable = description !== '' || /: (set|check|choose)/.test(error.message);
	return {
		sees: isActionable ? error.message : `${error.message} (and not what to do)`,
		doubt,
		progress: /^(Set|Failed|Not sent): .*$/m.exec(description)?.[0] ?? '',
		traces: [JSON.stringify(error), inspect(error, { depth: 6 }), error.stack].join(),
	};
}

/** What the service holds of the request with the fault; after a result, of all of them. */
function heldBy({ control, call, states }: Bench, index: number, isResult: boolean): Held {
	const state = stateOf(control);
	const done = isResult ? states.at(-1) : states[index + 1];
	if (call.kind !== 'read' && state === done) return 'done';
	return state === states[index] ? 'nothing' : 'something else';
}
