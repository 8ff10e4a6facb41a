/** A step that runs until a test lets it end. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../dev/testbed/until.mts';
import type { Part } from '../../dev/testbed/workflowBuilder.mts';

/** Makes a step that sends a request to this process, which answers when the test says so. */
export async function makeHeldStep() {
	const responses: ServerResponse[] = [];
	const server = createServer((_request, response) => void responses.push(response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const step: Part = {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
	};
	return {
		step,
		/** Waits until the step runs for the nth time, counted from 1; lets it end when called. */
		run: async (number: number) => {
			const response = await until(`run ${number} of the step`, () => responses[number - 1]);
			return () => void response.end('{}');
		},
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
