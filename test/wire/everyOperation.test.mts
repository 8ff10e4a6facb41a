/** A valid call of every operation, through n8n-core and over a socket. */
import { describe, expect, it } from 'vitest';
import { execute } from '../../dev/testbed/nodeRunner.mts';
import { startService } from './account.mts';
import { callsFor, operationNames, requestsOf } from './calls.mts';

/** A service that is ready for the calls. */
async function prepare() {
	const { simulator, control, credential } = await startService();
	return { simulator, control, credential: credential(), calls: callsFor(control) };
}

describe('every operation of the node', () => {
	it.each(operationNames)(
		'%s sends its requests, each once and in order, which the service accepts',
		async (name) => {
			const { simulator, control, credential, calls } = await prepare();
			const { parameters, file } = calls[name]!;
			const [resource, operation] = name.split('.') as [string, string];
			const output = await execute({
				credential,
				parameters: { resource, operation, ...parameters },
				inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
			});
			expect(output.length).toBeGreaterThan(0);
			const ids = requestsOf(name, calls[name]!).map(({ id }) => id);
			const sent = control.requests.filter(({ operationId = '' }) => ids.includes(operationId));
			expect(sent.map(({ operationId }) => operationId)).toEqual(ids);
			for (const { isAccepted, status } of sent) {
				expect(isAccepted).toBe(true);
				expect(status).toBeLessThan(300);
			}
			expect(control.contractViolations).toEqual([]);
			await simulator.stop();
		},
	);
});
