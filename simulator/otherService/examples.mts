/** Services to practise on, for tests of programs that find out how a service differs. */

import type { Settings } from '../settings.mts';
import type { AnswerChanges, DiscoveryPage, Names, OtherService } from './settings.mts';

/** The settings that make a simulator one of the example services. */
export type Example = Partial<Omit<Settings, 'service'>> & { service: OtherService };

const names: Record<string, Names> = {
	'item.add': {
		AreaOptionId: 'OptionId',
		Items: 'ProposalItems',
		'Items[].itemId': 'catalogItemId',
	},
	'item.updateQuantity': { Quantity: 'Qty' },
	'item.updateSellPrice': { SellPrice: 'Price' },
	'item.updateCost': { Cost: 'UnitCost' },
	'item.updateClientNote': { ClientNote: 'Note' },
	'item.updateTaxExempt': { IsTaxExempt: 'TaxExempt' },
	'item.delete': { ProposalItemIds: 'ItemIds' },
	'item.move': { ProposalItemIds: 'ItemIds', AreaOptionId: 'TargetAreaOptionId' },
	'item.copy': { ProposalItemIds: 'ItemIds', AreaOptionIds: 'TargetAreaOptionIds' },
	'item.replace': { ItemId: 'CatalogItemId' },
};

const documentedNames: Record<string, Names> = {
	'proposal.updateDescription': { Description: 'ProjectDescription' },
	'area.create': { Name: 'AreaName' },
	'contact.create': { FirstName: 'GivenName' },
};

const paths: Names = {
	'aiContent.getMany': '/public/proposals/{ProposalId}/ai/content',
	'areaOption.updateInstallerNotes': '/public/proposals/{ProposalId}/area-options/{OptionId}/notes',
	'item.updateQuantity': '/public/proposals/{ProposalId}/items/{ProposalItemId}/quantity',
	'item.refreshCosts': '/public/proposals/{ProposalId}/items/refreshcosts',
};

const events = {
	names: {
		'proposal.status_changed': 'ProposalStatusChanged',
		'proposal.outline.status_update': 'OutlineStatusUpdated',
		'proposal.build.status_update': 'BuildStatusUpdated',
	},
	several: 'commas',
} as const;

const additionalEvents = ['PaymentStatusChanged', 'OrderStatusChanged', 'ContactModified'];

const values = {
	PartyType: { Person: 'Individual' },
	ContactType: { Client: 'Customer', Contractor: 'Vendor' },
	SortBy: { ModifiedDate: 'LastModifiedDate' },
	SortDirection: { Asc: 'Ascending', Desc: 'Descending' },
};

const created: Record<string, number> = {
	'proposal.create': 201,
	'area.create': 201,
	'areaOption.create': 201,
	'contact.create': 201,
	'location.create': 201,
	'item.add': 201,
	'webhookSubscription.create': 201,
};

const answers: Record<string, AnswerChanges> = {
	'*': {
		rename: { 'financialSummary.salesTax.calculation.isTaxProviderAvailable': 'isTaxJarAvailable' },
	},
	'proposal.get': {
		remove: ['projectTerms'],
		add: { 'areas.sortOrder': 1 },
		types: { number: 'text' },
	},
	'item.getSuppliers': { rename: { suppliers: 'items' } },
};

const pages: DiscoveryPage[] = [
	'/metadata',
	'/types/typescript',
	'/types/metadata',
	'/openapi',
	'/swagger.json',
];

/** The older edition of the documentation, wherever two editions contradict each other. */
const olderEdition: OtherService = {
	formats: { 'proposal.assignContact': ['form'], 'proposal.assignLocation': ['form'] },
	otherFormat: 'refused',
	lists: { 'catalog.search': ['commas'] },
	values,
	events,
	statuses: { ...created, 'proposal.assignContact': 200 },
	secretKeyInLists: true,
};

/** Every difference at once. */
const everything: Example = {
	service: {
		...olderEdition,
		names: { ...names, ...documentedNames },
		formats: { 'proposal.assignContact': ['form'], '*': ['json'] },
		otherFormat: 'unread',
		lists: ['brackets'],
		paths,
		validation: 'plain',
		answers,
	},
	additionalEvents,
	maxPageSize: 50,
	singleUserKey: true,
	clockSkewSeconds: 120,
};

/** The example services, by name. */
export const examples: Record<string, Example> = {
	/** The contract, read with the tolerance of the framework. */
	framework: { service: {} },
	otherNames: { service: { names, validation: 'fields' } },
	otherDocumentedNames: { service: { names: { ...names, ...documentedNames } } },
	plainErrors: { service: { names, validation: 'plain' } },
	noValidation: { service: { names, validation: 'none' } },
	jsonOnly: { service: { formats: ['json'] } },
	formOnly: { service: { formats: ['form'], otherFormat: 'refused' } },
	commasOnly: { service: { lists: ['commas'] } },
	bracketsOnly: { service: { lists: ['brackets'] } },
	otherPaths: { service: { paths } },
	otherEvents: { service: { events }, additionalEvents },
	otherValues: { service: { values } },
	otherAnswers: { service: { answers } },
	olderEdition: { service: olderEdition, additionalEvents },
	discovery: { service: { names, paths, validation: 'plain', discovery: { pages } } },
	signedDiscovery: {
		service: {
			names,
			validation: 'none',
			discovery: { pages: ['/types/metadata'], isSigned: true },
		},
	},
	typescriptDiscovery: {
		service: {
			names,
			paths,
			validation: 'none',
			discovery: { pages: ['/metadata', '/types/typescript'], casing: 'PascalCase' },
		},
	},
	signedQuery: { service: { signedQuery: true } },
	/** Small pages, keys that end each other, exact clocks, no tolerance for another format. */
	strict: {
		service: {
			formats: { '*': ['form'], ...jsonOperations() },
			otherFormat: 'refused',
			lists: ['repeated'],
		},
		maxPageSize: 25,
		singleUserKey: true,
		clockSkewSeconds: 30,
	},
	everything,
	everythingDescribed: { ...everything, service: { ...everything.service, discovery: { pages } } },
};

/** The operations whose documented body is JSON. */
function jsonOperations() {
	const operations = [
		'proposal.assignContact',
		'proposal.assignLocation',
		'aiOutline.generate',
		'aiBuild.start',
	];
	return Object.fromEntries(operations.map((name) => [name, ['json'] as const]));
}
