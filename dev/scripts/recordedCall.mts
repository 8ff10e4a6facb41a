/** Records an operation's requests without a service, for the docs and tests. */
import type {
	AnyValues,
	OperationCall,
	Operation,
} from '../../nodes/PortalIo/operation/operation.ts';
import { replaceReferences } from '../../nodes/PortalIo/lookup/references.ts';
import type { ServiceRequest } from '../../client/request.ts';

/** Request of an operation, with the labels of the fields that it sets, if they are declared. */
export interface Recorded extends ServiceRequest {
	sets?: string[];
	isUpload?: true;
}

/**
 * Titles of the kinds of requests. The kind decides what happens if a request fails. The columns of docs/dev/faults.md
 * have this order.
 */
export const kindTitles = {
	read: 'Reads',
	set: 'Sets a value',
	delete: 'Deletes',
	create: 'Creates',
	upload: 'Uploads',
};
export type Kind = keyof typeof kindTitles;

export function kindOf({ method, isRepeatable, isUpload }: Recorded): Kind {
	if (isUpload) return 'upload';
	if (method === 'GET') return 'read';
	if (method === 'DELETE') return 'delete';
	return isRepeatable ? 'set' : 'create';
}

/** ID of every record that is found or created here, as in the examples. */
const ID = 48201;

/** Parses values in which every record is an ID, so only a file has to be looked up. */
export async function plainValues(
	operation: Operation,
	userInput: Record<string, unknown>,
	timezone = 'UTC',
): Promise<AnyValues> {
	const file = {
		fileName: 'Walk.mp3',
		mimeType: 'audio/mpeg',
		bytes: 1,
		open: async () => Buffer.alloc(1),
	};
	const values = await replaceReferences(
		operation.parse(userInput, { timezone }),
		async () => file,
	);
	operation.validate?.(values);
	return values;
}

/** Returns the values without *Check Result*, because no response here shows a change. */
function unchecked({ fields }: Operation, values: AnyValues): AnyValues {
	const { options = [] } = fields.find(({ name }) => name === 'options') ?? {};
	const isChecked = options.some(({ name }) => name === 'checkResult');
	return isChecked ? { ...values, options: { ...values.options!, checkResult: false } } : values;
}

/** Records the requests for one input item, in order. Lookups find no record. */
export async function recordRequests(operation: Operation, values: AnyValues): Promise<Recorded[]> {
	const sent: Recorded[] = [];
	/** Returns the record that was assigned last. */
	const assigned = (what: string) => {
		const request = sent.findLast(({ path }) => path.includes(`/${what}/`));
		return request && { id: Number(request.path.split('/').at(-1)) };
	};
	/** Returns the salesperson that was set last. */
	const salesperson = () => {
		const request = sent.findLast(({ form }) => form?.SalesPersonId !== undefined);
		return { id: Number(request?.form?.SalesPersonId ?? 301) };
	};
	const idIn = ({ path }: ServiceRequest, what: string) => {
		const [, id] = new RegExp(`/${what}/(\\d+)`).exec(path) ?? [];
		return id === undefined ? undefined : Number(id);
	};
	const { areaId, areaOptionId } = (values.filters ?? {}) as Record<string, unknown>;
	/**
	 * Returns the chosen area with its option, if an area was chosen, and an area for each change. The IDs of the area,
	 * option, and item in it come from the change's path. IDs that the path lacks are new.
	 */
	const areas = () => [
		...(areaId === undefined ? [] : [{ id: areaId, name: '', options: [{ id: areaOptionId }] }]),
		...sent
			.filter(({ method }) => method === 'POST')
			.map((request, index) => {
				const itemId = idIn(request, 'items');
				const items = itemId === undefined ? [] : [{ id: itemId }];
				const options = [{ id: idIn(request, 'option') ?? index, items }];
				return { id: idIn(request, 'area') ?? index, name: '', options };
			}),
	];
	const call: OperationCall<AnyValues> = {
		values: unchecked(operation, values),
		isTool: false,
		baseUrl: 'https://api.portal.io',
		send: async (request) => {
			sent.push(request);
			if (request.followsCreation) return '';
			return {
				id: idIn(request, 'proposals') ?? ID,
				number: 1201,
				partyType: 'Person',
				street: '12 Juniper Way',
				items: [],
				users: [],
				suppliers: [],
				industries: [],
				subscriptions: [],
				status: request.path.endsWith('/outline') ? 'Completed' : 'Draft',
				dealer: { salesperson: salesperson() },
				customer: {
					...assigned('contact'),
					location: assigned('location'),
				},
				areas: areas(),
				financialSummary: {},
				outline: `${sent.length}`,
				changeOrders: [],
			};
		},
		readIfExists: async (request) => await call.send(request),
		readList: async ({ request }) => {
			sent.push(request);
			return [];
		},
		upload: async ({ request, check }) => {
			await check();
			sent.push({ ...request, isUpload: true });
			return '';
		},
		pause: async () => {},
		hint: () => {},
		warn: () => {},
	};
	await operation.run(call);
	return sent;
}
