/** Runs one operation under one fault, and says what came of it. */
import { inspect } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Control } from '../../simulator/index.mts';
import { execute, type StoredCredential } from '../../testbed/nodeRunner.mts';
import type { Call } from '../wire/calls.mts';
import type { Doubt, FaultCase, Held, Outcome, Surroundings } from './faults.mts';

/** A service of its own for one operation, with its key exchanged, and as it is after a clean run. */
export interface Bench {
	control: Control;
	credential: StoredCredential;
	name: string;
	call: Call;
	/** The state before, and after the operation was done once. */
	before: string;
	done: string;
}

/** An outcome with everything that the user, n8n's log or database could have got of it. */
export interface Observation {
	outcome: Outcome;
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
		parameters: { resource, operation, ...call.parameters, requestOptions: { maxTries: 2 } },
		inputs: [input],
	});
}

/** Runs the operation under a fault, from the state before. */
export async function observe(
	bench: Bench,
	{ arrange }: FaultCase,
	surroundings: Surroundings,
): Promise<Observation> {
	const { control, name, call } = bench;
	const operationId = call.sends ?? name;
	control.restoreState();
	control.clearRequests();
	arrange(control, (fault) => control.failNext({ operationId, ...fault }), surroundings);
	const { sees, doubt, traces } = await perform(bench).then(shown, told);
	control.clearFaults();
	control.setClockOffset(0);
	const isOwn = (id = '') => id.replace(/\.alternate$/, '') === operationId;
	return {
		outcome: {
			sees,
			doubt,
			sent: control.requests.filter((request) => isOwn(request.operationId)).length,
			logins: control.exchangeCount(),
			held: heldBy(bench),
		},
		traces,
	};
}

const shown = (output: INodeExecutionData[]) => ({
	sees: 'a result',
	doubt: '' as Doubt,
	traces: JSON.stringify(output),
});

/** What a user is told by an error, and everything that could be found of it. */
export function told(error: Error & { description?: string | null }) {
	const description = error.description ?? '';
	const doubt: Doubt = /: look with|Check in Portal\.io before/.test(description)
		? 'twice'
		: description.includes('Running the step again does no harm')
			? 'harmless'
			: '';
	const isActionable = description !== '' || /: (set|check|choose)/.test(error.message);
	return {
		sees: isActionable ? error.message : `${error.message} (and not what to do)`,
		doubt,
		traces: [JSON.stringify(error), inspect(error, { depth: 6 }), error.stack].join(),
	};
}

function heldBy({ control, call, before, done }: Bench): Held {
	const state = stateOf(control);
	if (call.kind !== 'read' && state === done) return 'done';
	return state === before ? 'nothing' : 'something else';
}
