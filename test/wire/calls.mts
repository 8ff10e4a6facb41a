/** A valid call of every operation, and what kind of thing it does. */
import type { IBinaryData, INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { seed, type Control } from '../../dev/simulator/index.mts';
import { execute, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';

/** What matters about an operation when something goes wrong. */
export type Kind = 'read' | 'set' | 'delete' | 'create' | 'upload';

/** What docs/reliability.md calls the kinds, in the order in which it shows them. */
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
	/** The file of its input. */
	file?: IBinaryData;
	/** The requests that it sends, in order, where they are not one with the name of the operation. */
	requests?: Request[];
}

/** A request of an operation. */
export interface Request {
	/** The operation of the contract. */
	id: string;
	/** The labels of the fields that it sets, where there are several requests. */
	sets: string[];
}

/** The requests of an operation, in order. */
export const requestsOf = (name: string, { requests }: Call): Request[] =>
	requests ?? [{ id: name, sets: [] }];

/** The names of all operations, as `item.add`. */
export const operationNames = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

/** Runs a call of an operation, with further parameters. */
export async function runCall(
	credential: StoredCredential,
	name: string,
	{ parameters, file }: Call,
	more: Call['parameters'] = {},
): Promise<INodeExecutionData[]> {
	const [resource, operation] = name.split('.') as [string, string];
	return await execute({
		credential,
		parameters: { resource, operation, ...parameters, ...more },
		inputs: [{ json: {}, ...(file && { binary: { data: file } }) }],
	});
}

const ADDRESS = 'http://127.0.0.1:9/hook';

/**
 * Prepares a service for every operation.
 *
 * @returns by operation, as `item.add`, in alphabetical order
 * @throws for an operation without a call: every test that goes through all operations needs it
 */
export function callsFor(control: Control): Record<string, Call> {
	const calls = preparedCalls(control);
	const missing = operationNames.filter((name) => !(name in calls));
	if (missing.length > 0) throw new Error(`Add to test/wire/calls.mts a call of ${missing.join()}`);
	return calls;
}

function preparedCalls(control: Control): Record<string, Call> {
	const { staleWholeHome: proposalId, freshLighting, freshNetwork, accepted } = seed.proposals;
	const subscriptionId = control.addSubscription({
		url: ADDRESS,
		events: 'proposal.status_changed',
	});
	control.updateProposal(seed.proposals.empty, { contactId: seed.contacts.company });
	const [area, otherArea] = control.proposal(proposalId).areas;
	const [option] = area.options;
	const [otherOption] = otherArea.options;
	const [item] = option.items;
	const { supplier_id: current } = control.items(proposalId).find(({ id }) => id === item.id)!;
	const supplierId = control
		.supplierCosts(item.referencedItemId)
		.map(({ supplier_id: id }) => id)
		.find((id) => id !== current)!;
	const proposal = { proposalId };
	const ids = { proposalId, areaId: area.id, areaOptionId: option.id };
	const ofItem = { proposalId, itemId: item.id };
	const itemIds = String(item.id);
	const few = { limit: 3 };
	const ofProposal = [{ id: 'proposal.get', sets: [] }];

	const read = (parameters: Call['parameters'] = {}): Call => ({ kind: 'read', parameters });
	const set = (parameters: Call['parameters'], ...requests: Request[]): Call => ({
		kind: 'set',
		parameters,
		...(requests.length > 0 && { requests }),
	});
	const remove = (parameters: Call['parameters']): Call => ({ kind: 'delete', parameters });
	const create = (parameters: Call['parameters']): Call => ({ kind: 'create', parameters });

	return {
		'aiBuild.start': create({ proposalId: freshNetwork }),
		'aiContent.delete': remove({
			proposalId: freshLighting,
			contentId: seed.aiContents.transcribed,
		}),
		'aiContent.getMany': read({ proposalId: freshLighting, ...few }),
		'aiContent.upload': {
			kind: 'upload',
			parameters: { proposalId: seed.proposals.empty, binaryPropertyName: 'data' },
			file: {
				data: Buffer.from('Two speakers in the den.').toString('base64'),
				mimeType: 'text/plain',
				fileName: 'walk.txt',
			},
		},
		'aiOutline.generate': create({ proposalId: freshLighting }),
		'aiOutline.get': read({ proposalId: freshNetwork }),
		'area.create': create({ ...proposal, name: 'Boat House' }),
		'area.getMany': { ...read({ ...proposal, ...few }), requests: ofProposal },
		'areaOption.create': create({ ...proposal, areaId: otherArea.id }),
		'areaOption.update': set(
			{ ...ids, updateFields: { installerNotes: 'Noted', clientDescription: 'Told' } },
			{ id: 'areaOption.updateClientDescription', sets: ['Client Description'] },
			{ id: 'areaOption.updateInstallerNotes', sets: ['Installer Notes'] },
		),
		'catalog.get': read({ catalogItemId: seed.catalogItems.speaker }),
		'catalog.getCategories': read(),
		'catalog.search': read(few),
		'changeOrder.get': read({ proposalId: accepted, changeOrderId: seed.changeOrders.draft }),
		'changeOrder.getMany': read({ proposalId: accepted, ...few }),
		'contact.create': create({
			partyType: 'Person',
			contactType: 'Client',
			firstName: 'Nora',
			additionalFields: { lastName: 'Blank' },
		}),
		'contact.get': read({ contactId: seed.contacts.company }),
		'contact.getMany': read(few),
		'item.add': create({
			...proposal,
			areaOptionId: option.id,
			items: { item: [{ itemId: item.referencedItemId, itemType: 'Part', quantity: 2 }] },
		}),
		'item.copy': create({ ...proposal, itemIds, areaOptionIds: String(otherOption.id) }),
		'item.delete': remove({ ...proposal, itemIds }),
		'item.getMany': { ...read({ ...proposal, ...few }), requests: ofProposal },
		'item.getSuppliers': read(ofItem),
		'item.move': set({ ...proposal, itemIds, areaOptionId: otherOption.id }),
		'item.refreshCosts': set(proposal),
		'item.replace': set({ ...ofItem, catalogItemId: seed.catalogItems.speaker }),
		'item.setSupplier': set({ ...ofItem, supplierId }),
		'item.update': set(
			{ ...ofItem, updateFields: { cost: 12.34, sellPrice: 56.78, quantity: 17 } },
			{ id: 'item.updateQuantity', sets: ['Quantity'] },
			{ id: 'item.updateSellPrice', sets: ['Sell Price'] },
			{ id: 'item.updateCost', sets: ['Cost'] },
		),
		'location.create': create({ contactId: seed.contacts.withoutLocation, street: '1 First St' }),
		'location.getMany': read({ contactId: seed.contacts.company, ...few }),
		'payment.getMany': { ...read({ proposalId: accepted, ...few }), requests: ofProposal },
		'proposal.assignContact': set({ ...proposal, contactId: seed.contacts.abroad }),
		'proposal.assignLocation': set({
			proposalId: seed.proposals.empty,
			locationId: seed.locations.companyThird,
		}),
		'proposal.create': create({ salesPersonId: seed.users.salesPriya }),
		'proposal.duplicate': {
			...create({ proposalId: seed.proposals.staleOffice }),
			requests: ['proposal.create', 'area.create', 'item.add'].map((id) => ({ id, sets: [] })),
		},
		'proposal.get': read(proposal),
		'proposal.getMany': read(few),
		'proposal.update': set(
			{
				...proposal,
				updateFields: {
					internalNotes: 'Call first',
					description: 'Sound for two rooms',
					salesPersonId: seed.users.salesJordan,
					name: 'Another Name',
				},
			},
			{ id: 'proposal.update', sets: ['Name', 'Salesperson'] },
			{ id: 'proposal.updateDescription', sets: ['Description'] },
			{ id: 'proposal.updateInternalNotes', sets: ['Internal Notes'] },
		),
		'recurringService.getMany': { ...read({ ...proposal, ...few }), requests: ofProposal },
		'user.getMany': read(few),
		'webhookSubscription.create': create({
			url: `${ADDRESS}/2`,
			events: ['proposal.status_changed'],
		}),
		'webhookSubscription.delete': remove({ subscriptionId }),
		'webhookSubscription.getMany': read(few),
		'webhookSubscription.update': set({ subscriptionId, updateFields: { enabled: false } }),
	};
}
