/** A valid call of every operation, and what kind of thing it does. */
import type { IBinaryData, NodeParameterValueType } from 'n8n-workflow';
import { seed } from '../../simulator/index.mts';
import type { Control } from '../../simulator/index.mts';

/** What matters about an operation when something goes wrong. */
export type Kind = 'read' | 'set' | 'delete' | 'create' | 'upload';

/** The kinds in the order in which they are shown. */
export const KINDS: readonly Kind[] = ['read', 'set', 'delete', 'create', 'upload'];

export interface Call {
	kind: Kind;
	parameters: Record<string, NodeParameterValueType>;
	/** The file of its input. */
	file?: IBinaryData;
	/** The operation of the contract that it sends, where that has another name. */
	sends?: string;
}

const ADDRESS = 'http://127.0.0.1:9/hook';

/**
 * Prepares a service for every operation.
 *
 * @returns by operation, as `item.add`, in alphabetical order
 */
export function callsFor(control: Control): Record<string, Call> {
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
	const ids = { proposalId, areaId: area.id, optionId: option.id };
	const ofItem = { proposalId, itemId: item.id };
	const itemIds = String(item.id);
	const few = { limit: 3 };

	const read = (parameters: Call['parameters'] = {}, sends?: string): Call => ({
		kind: 'read',
		parameters,
		...(sends === undefined ? {} : { sends }),
	});
	const set = (parameters: Call['parameters']): Call => ({ kind: 'set', parameters });
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
		'areaOption.create': create({ ...proposal, areaId: otherArea.id }),
		'areaOption.updateClientDescription': set({ ...ids, clientDescription: 'Told' }),
		'areaOption.updateInstallerNotes': set({ ...ids, installerNotes: 'Noted' }),
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
		'item.getMany': read({ ...proposal, ...few }, 'proposal.get'),
		'item.getSuppliers': read(ofItem),
		'item.move': set({ ...proposal, itemIds, areaOptionId: otherOption.id }),
		'item.refreshCosts': set(proposal),
		'item.replace': set({ ...ofItem, catalogItemId: seed.catalogItems.speaker }),
		'item.setSupplier': set({ ...ofItem, supplierId }),
		'item.updateClientNote': set({ ...ofItem, clientNote: 'Behind the door' }),
		'item.updateCombinedPrice': set({ ...ofItem, isCombinedPrice: !item.total.isCombinedPrice }),
		'item.updateCost': set({ ...ofItem, cost: 12.34 }),
		'item.updateImage': set({ ...ofItem, imageUrl: 'https://pictures.example/a.png' }),
		'item.updateMsrp': set({ ...ofItem, msrp: 12.34 }),
		'item.updateQuantity': set({ ...ofItem, quantity: 17 }),
		'item.updateRecurringService': set({ ...ofItem, isRecurringService: true }),
		'item.updateSellPrice': set({ ...ofItem, sellPrice: 12.34 }),
		'item.updateShortDescription': set({ ...ofItem, shortDescription: 'Loud' }),
		'item.updateTaxExempt': set({ ...ofItem, isTaxExempt: true }),
		'location.create': create({ contactId: seed.contacts.withoutLocation, street: '1 First St' }),
		'location.getMany': read({ contactId: seed.contacts.company, ...few }),
		'proposal.assignContact': set({ ...proposal, contactId: seed.contacts.abroad }),
		'proposal.assignLocation': set({
			proposalId: seed.proposals.empty,
			locationId: seed.locations.companyThird,
		}),
		'proposal.create': create({ salesPersonId: seed.users.salesPriya }),
		'proposal.get': read(proposal),
		'proposal.getMany': read(few),
		'proposal.update': set({ ...proposal, updateFields: { name: 'Another Name' } }),
		'proposal.updateDescription': set({ ...proposal, description: 'Sound for two rooms' }),
		'proposal.updateInternalNotes': set({ ...proposal, internalNotes: 'Call first' }),
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
