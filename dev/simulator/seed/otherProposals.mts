import { contactIds as contact, locationIds as location } from './contacts.mts';
import { changeOrderIds, proposalIds } from './proposalIds.mts';
import { one, type SeedProposal } from './shape.mts';

/** The change orders of the accepted proposal. */
export const changeOrders: SeedProposal[] = [
	{
		id: changeOrderIds.draft,
		name: 'Add a subwoofer',
		status: 'Draft',
		daysAgo: [86, 84, 84],
		contact: contact.withPrimary,
		location: location.withPrimary,
		other: { parent_id: proposalIds.accepted },
		areas: [['Family room', { items: [one(9011, 1), one(8001, 1.25)] }]],
	},
	{
		id: changeOrderIds.accepted,
		name: 'Second remote',
		status: 'Accepted',
		daysAgo: [85, 83, 81],
		contact: contact.withPrimary,
		location: location.withPrimary,
		other: { parent_id: proposalIds.accepted },
		areas: [['Family room', { status: 'Accepted', items: [one(9018, 1)] }]],
	},
];

/** The proposals of the other dealer. */
export const otherProposals: SeedProposal[] = [
	{
		id: proposalIds.otherDraft,
		name: 'Lockhart boathouse',
		status: 'Draft',
		daysAgo: [56, 54, 54],
		contact: contact.ofOtherDealer,
		location: location.ofOtherDealer,
		areas: [['Boathouse', { items: [one(9012, 8, { cost: 141 }), one(9014, 1)] }]],
	},
	{
		id: proposalIds.otherSubmitted,
		name: 'Lockhart dock cameras',
		status: 'Submitted',
		daysAgo: [52, 51, 51],
		contact: contact.ofOtherDealer,
		location: location.ofOtherDealer,
		areas: [['Dock', { items: [one(9029, 4), one(9031, 1)] }]],
	},
];
