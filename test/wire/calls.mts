/** A valid call of every operation (dev/scripts/operations.yaml), and what kind of thing it does. */
import type { IBinaryData, INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import { beforeAll } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { endpointOf } from '../../dev/simulator/contract.mts';
import { exampleOf } from '../../dev/scripts/examples.mts';
import { seed, type Control } from '../../dev/simulator/index.mts';
import { execute, type FileService, restoredService, type StoredCredential } from './account.mts';

export type Kind = 'read' | 'set' | 'delete' | 'create' | 'upload';

/** The names of the kinds in docs/dev/faults.md, in its order. */
export const kindTitles: Readonly<Record<Kind, string>> = {
	read: 'reads',
	set: 'sets a value',
	delete: 'deletes',
	create: 'creates',
	upload: 'uploads',
};

export interface Call {
	kind: Kind;
	parameters: Record<string, NodeParameterValueType>;
	file?: IBinaryData;
	/** The operations of the contract by which it changes, or only reads, something, in order. */
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
		...{ credential, operation: name, parameters: { ...parameters, ...more } },
		inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
	});
}

const file: IBinaryData = {
	data: Buffer.from('Two speakers in the den.').toString('base64'),
	mimeType: 'text/plain',
	fileName: 'walk.txt',
};

function callOf(name: string): Call {
	const { example, sends } = exampleOf(name);
	const all = sends.flatMap((one) => Object.entries(one as Record<string, Request>));
	const changes = all.filter(([request]) => !request.startsWith('GET'));
	const requests = changes.length > 0 ? changes : all;
	const few = fieldsOf(name).includes('limit') ? { limit: 3 } : {};
	return {
		kind: kindOf(...requests[0]!),
		parameters: { ...few, ...(example as Call['parameters']) },
		requests: requests.map(([request]) => {
			const [method, path] = request.split(' ') as [string, string];
			return endpointOf(method, path).id;
		}),
		...(requests[0]![1].isUpload && { file }),
	};
}

interface Request {
	isUpload?: boolean;
	isRepeatable?: boolean;
}

function kindOf(request: string, { isUpload, isRepeatable }: Request): Kind {
	if (isUpload) return 'upload';
	if (request.startsWith('GET')) return 'read';
	if (request.startsWith('DELETE')) return 'delete';
	return isRepeatable ? 'set' : 'create';
}

/** By operation, as `item.add`; one without a call fails every test that goes through all of them. */
export const calls: Readonly<Record<string, Call>> = Object.fromEntries(
	operationNames.map((name) => [name, callOf(name)]),
);

export function prepareForCalls(control: Control): void {
	// The subscription that some of them work on.
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
