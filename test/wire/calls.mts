/**
 * Provides a valid call to each operation in dev/scripts/operations.yaml, and says whether it reads, creates, deletes,
 * and so on.
 */
import type { IBinaryData, INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import { beforeAll } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { endpointOf } from '../../dev/simulator/contract.mts';
import { findExample } from '../../dev/scripts/examples.mts';
import { kindOf, kindTitles, type Kind, type Recorded } from '../../dev/scripts/recordedCall.mts';
import { seed, type Control } from '../../dev/simulator/index.mts';
import { execute, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { type FileService, restoredService } from './account.mts';

export { kindTitles, type Kind };

export interface Call {
	kind: Kind;
	parameters: Record<string, NodeParameterValueType>;
	file?: IBinaryData;
	/** Contract operations that the call sends, in order: its changes, or its reads if it changes nothing. */
	requests: string[];
}

export const operationNames = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

export const fieldsOf = (name: string) => {
	const [resource, operation] = name.split('.') as [string, string];
	return registry[resource]!.operations[operation]!.fields.map((field) => field.name);
};

export async function runCall(
	credential: StoredCredential,
	name: string,
	{ parameters, file }: Call,
	more: object = {},
): Promise<INodeExecutionData[]> {
	return await execute({
		credential,
		operation: name,
		parameters: {
			...parameters,
			...more,
		},
		inputs: [
			{
				json: {},
				...(file && { binary: { data: file } }),
			},
		],
	});
}

const file: IBinaryData = {
	data: Buffer.from('Two speakers in the den.').toString('base64'),
	mimeType: 'text/plain',
	fileName: 'walk.txt',
};

function callOf(name: string): Call {
	const { example, sends } = findExample(name);
	const all = sends.flatMap((one) =>
		Object.entries(one).map(([request, more]) => {
			const [method, path] = request.split(' ') as [string, string];
			return { method, path, ...more } as Recorded;
		}),
	);
	const changes = all.filter(({ method }) => method !== 'GET');
	const requests = changes.length > 0 ? changes : all;
	const few = fieldsOf(name).includes('limit') ? { limit: 3 } : {};
	return {
		kind: kindOf(requests[0]!),
		parameters: { ...few, ...(example as Call['parameters']) },
		requests: requests.map(({ method, path }) => endpointOf(method, path).name),
		...(requests[0]!.isUpload && { file }),
	};
}

/** Calls by operation, such as `item.add`. If a call is missing, every test of all operations fails. */
export const calls: Readonly<Record<string, Call>> = Object.fromEntries(
	operationNames.map((name) => [name, callOf(name)]),
);

export function prepareForCalls(control: Control): void {
	// Add the subscription that some calls use.
	control.addSubscription({ url: 'http://127.0.0.1:9/hook', events: 'proposal.status_changed' });
	const { proposals, contacts } = seed;
	control.update('proposals', { id: proposals.empty }, { contactId: contacts.company });
}

export function preparedService(options?: Parameters<typeof restoredService>[0]): FileService {
	const service = restoredService(options);
	beforeAll(() => {
		prepareForCalls(service.control);
		service.control.keepState();
	});
	return service;
}
