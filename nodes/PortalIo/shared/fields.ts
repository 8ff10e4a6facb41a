import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../../client/http/form';
import { choices } from '../../shared/labels';
import { choiceOf, collectionOf } from './values';

/**
 * Fields that several operations share. They keep one name each, so that switching the operation
 * keeps what the user chose.
 */

/**
 * The address of a proposal's page carries its ID after `proposal` or `proposals` (assumed: no
 * public page shows one).
 */
const PROPOSAL_URL = 'https?:\\/\\/[^\\s]*\\/proposals?\\/([0-9]+)[^\\s]*';

/** A resource locator: a searchable list, or the ID. */
export function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & {
		/** The method of the node that lists the choices. */
		listMethod: string;
		searchable: boolean;
		/** Other fields whose change makes the list stale. */
		dependsOn?: string[];
		required?: boolean;
	},
): INodeProperties {
	const { displayName, name, description, listMethod, searchable, dependsOn, required } = field;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required === false ? {} : { required: true }),
		description,
		...(dependsOn ? { typeOptions: { loadOptionsDependsOn: dependsOn } } : {}),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: listMethod, searchable },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 12345',
				validation: [
					{
						type: 'regex',
						properties: { regex: '^\\s*[0-9]+\\s*$', errorMessage: 'An ID is a whole number' },
					},
				],
			},
		],
	};
}

const proposal = locator({
	displayName: 'Proposal',
	name: 'proposalId',
	description: 'The proposal to work on; its ID is not the number that customers see',
	listMethod: 'searchProposals',
	searchable: true,
});

/** The proposal of an operation, also by the address of its page. */
export const proposalId: INodeProperties = {
	...proposal,
	modes: [
		...(proposal.modes ?? []),
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.portal.io/proposals/12345',
			extractValue: { type: 'regex', regex: PROPOSAL_URL },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: PROPOSAL_URL,
						errorMessage: 'The address of a proposal holds its ID',
					},
				},
			],
		},
	],
};

export const contactId = locator({
	displayName: 'Contact',
	name: 'contactId',
	description: 'A person or company among the contacts of your account',
	listMethod: 'searchContacts',
	searchable: true,
});

export const salesPersonId = locator({
	displayName: 'Salesperson',
	name: 'salesPersonId',
	description: 'The user of your account who owns the proposal',
	listMethod: 'searchSalespeople',
	searchable: true,
});

/** The locator of something that belongs to the chosen proposal. */
const ofProposal = (
	displayName: string,
	name: string,
	description: string,
	listMethod: string,
	...dependsOn: string[]
) =>
	locator({
		displayName,
		name,
		description,
		listMethod,
		searchable: true,
		dependsOn: ['proposalId.value', ...dependsOn],
	});

export const areaId = ofProposal(
	'Area',
	'areaId',
	'An area of the proposal, such as a room',
	'searchAreas',
);

/** The option whose texts change: one of the chosen area. */
export const optionId = ofProposal(
	'Area Option',
	'optionId',
	'One of the options of the area',
	'searchOptionsOfArea',
	'areaId.value',
);

/** The option that items go to: one of any area. */
export const areaOptionId = ofProposal(
	'Area Option',
	'areaOptionId',
	'The option of an area that the items go to',
	'searchAreaOptions',
);

export const itemId = ofProposal('Item', 'itemId', 'An item of the proposal', 'searchItems');

export const changeOrderId = ofProposal(
	'Change Order',
	'changeOrderId',
	'A change order of the proposal',
	'searchChangeOrders',
);

export const contentId = ofProposal(
	'Content',
	'contentId',
	'A recording or text that was uploaded to the proposal',
	'searchContent',
);

export const catalogItemId = locator({
	displayName: 'Catalog Item',
	name: 'catalogItemId',
	description: 'An item of the catalog',
	listMethod: 'searchCatalog',
	searchable: true,
});

export const subscriptionId = locator({
	displayName: 'Subscription',
	name: 'subscriptionId',
	description: 'A webhook subscription of your account',
	listMethod: 'searchSubscriptions',
	searchable: true,
});

/** How many records an operation returns. */
export const paging: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * The options that sort a list, and what they send.
 *
 * @param sortFields the values of `SortBy` that the service knows for it, `ModifiedDate` among them
 */
export function sorting(sortFields: readonly string[]) {
	const fields: INodeProperties[] = [
		{
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			options: choices(sortFields),
			default: 'ModifiedDate',
		},
		{
			displayName: 'Sort Direction',
			name: 'sortDirection',
			type: 'options',
			options: [
				{ name: 'Ascending', value: 'Asc' },
				{ name: 'Descending', value: 'Desc' },
			],
			default: 'Asc',
		},
	];
	const query = (options: unknown): Fields => {
		const { sortBy, sortDirection } = collectionOf(options);
		return {
			SortBy: sortBy === undefined ? undefined : choiceOf(sortBy, 'Sort By', sortFields),
			SortDirection:
				sortDirection === undefined
					? undefined
					: choiceOf(sortDirection, 'Sort Direction', ['Asc', 'Desc']),
		};
	};
	return { fields, query };
}
