import type { INodeProperties } from 'n8n-workflow';

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

/** Turns the values of an enumeration into choices whose names are spelled as words. */
export const choices = (values: readonly string[]) =>
	values.map((value) => ({ name: value.replace(/(?<=[a-z])(?=[A-Z])/g, ' '), value }));
