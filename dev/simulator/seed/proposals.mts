import { userIds } from './accounts.mts';
import { contactIds as contact, locationIds as location } from './contacts.mts';
import { proposalIds } from './proposalIds.mts';
import { one, type SeedItem, type SeedProposal } from './shape.mts';

const theatre: SeedItem[] = [
	one(9001, 1, { cost: 1180 }),
	one(9006, 1, { cost: 68.25 }),
	one(9010, 3, { cost: 231.5, clientNote: 'Left, centre and right' }),
	one(8001, 6.5),
	one(8201, 1),
	one(8103, 1),
];

/** The proposals of the dealer. */
export const dealerProposals: SeedProposal[] = [
	{
		id: proposalIds.staleTheatre,
		name: 'Holt theatre',
		status: 'Draft',
		daysAgo: [85, 46, 46],
		contact: contact.withPrimary,
		location: location.withPrimary,
		other: { project_description: 'A quiet theatre in the lower level.' },
		areas: [['Theatre', { items: theatre }]],
	},
	{
		id: proposalIds.staleWholeHome,
		name: 'Quarry Street hotel lobby',
		status: 'Draft',
		daysAgo: [81, 37, 37],
		contact: contact.company,
		location: location.companyPrimary,
		salesPerson: userIds.salesJordan,
		other: {
			discount_type: 'Percentage',
			discount_value: 1000,
			internal_notes: 'Ask for the riser plan.',
		},
		areas: [
			[
				'Lobby',
				{ items: [one(9002, 2, { cost: 1995 }), one(9007, 2, { cost: 188 }), one(8001, 12)] },
				{ items: [one(9003, 2, { cost: 2810 }), one(9007, 2), one(8001, 14)] },
				{ status: 'Declined', items: [one(9004, 1, { cost: 4100 }), one(9005, 1)] },
			],
			[
				'Rack room',
				{
					items: [
						one(9025, 1, {
							isCombined: true,
							nested: [one(9026, 1, { cost: 209.5 }), one(9027, 1, { cost: 588 })],
						}),
						one(9014, 1, { cost: 1520 }),
						one(8002, 8),
					],
				},
			],
			[
				'Terrace',
				{ items: [one(9012, 6, { cost: 144.1 }), one(9011, 1), one(8104, 2), one(8103, 1)] },
			],
		],
	},
	{
		id: proposalIds.staleSecurity,
		name: 'Ostrowski cameras',
		status: 'Draft',
		daysAgo: [78, 36, 36],
		contact: contact.withoutPrimary,
		location: location.withoutPrimarySecond,
		salesPerson: userIds.salesPriya,
		areas: [
			['Outside', { items: [one(9028, 4, { cost: 231 }), one(9029, 2, { cost: 139.9 })] }],
			[
				'Inside',
				{ items: [one(9031, 1, { cost: 870 }), one(8001, 5), one(8104, 1), one(8202, 1)] },
			],
		],
	},
	{
		id: proposalIds.staleAudio,
		name: 'Menon whole-house audio',
		status: 'Draft',
		daysAgo: [73, 35, 35],
		contact: contact.withoutLocation,
		salesPerson: userIds.salesJordan,
		areas: [
			['Kitchen', { items: [one(9008, 2, { cost: 112 }), one(9015, 1, { cost: 339 })] }],
			['Patio', { items: [one(9012, 4, { cost: 155.2 }), one(8001, 4)] }],
		],
	},
	{
		id: proposalIds.staleOffice,
		name: 'Home office refresh',
		status: 'Draft',
		daysAgo: [67, 34, 34],
		salesPerson: userIds.salesPriya,
		areas: [
			[
				'Office',
				{ items: [one(9016, 1, { cost: 701 }), one(9020, 5, { cost: 79.9 }), one(8002, 3)] },
			],
		],
	},
	{
		id: proposalIds.freshLighting,
		name: 'Adeyemi lighting',
		status: 'Draft',
		daysAgo: [55, 25, 25],
		contact: contact.incomplete,
		location: location.incomplete,
		areas: [['Ground floor', { items: [one(9020, 11), one(9021, 4), one(9022, 1), one(8002, 6)] }]],
	},
	{
		id: proposalIds.freshNetwork,
		name: 'Marchand network',
		status: 'Draft',
		// modified at the same time as freshLighting: the order of lists must still be stable
		daysAgo: [53, 25, 25],
		contact: contact.abroad,
		location: location.abroad,
		other: { discount_type: 'Fixed', discount_value: 15_000 },
		areas: [
			['Closet', { items: [one(9036, 1), one(9038, 1), one(9040, 2, { isTaxExempt: true })] }],
			['Rooms', { items: [one(9037, 3), one(8001, 3)] }],
		],
	},
	{
		id: proposalIds.empty,
		name: 'Untitled walkthrough',
		status: 'Draft',
		daysAgo: [16, 16, 16],
		areas: [],
	},
	{
		id: proposalIds.submitted,
		name: 'Holt bedroom televisions',
		status: 'Submitted',
		daysAgo: [14, 11, 11],
		contact: contact.withPrimary,
		location: location.withPrimary,
		areas: [
			['Main bedroom', { items: [one(9001, 1), one(9007, 1), one(8001, 3)] }],
			[
				'Guest room',
				{ items: [one(9001, 1, { price: 1650 }), one(9006, 1), one(8001, 2.5), one(8103, 1)] },
			],
		],
	},
	{
		id: proposalIds.submittedToo,
		name: 'Quarry Street meeting room',
		status: 'Submitted',
		daysAgo: [10, 8, 8],
		contact: contact.company,
		location: location.companyPrimary,
		salesPerson: userIds.salesJordan,
		areas: [
			[
				'Meeting room',
				{ items: [one(9002, 1), one(9019, 1), one(8002, 5)] },
				{ items: [one(9003, 1), one(9019, 2), one(8002, 7)] },
			],
		],
	},
	{
		id: proposalIds.viewed,
		name: 'Castellan shades',
		status: 'ViewedByClient',
		// valid for 30 days by the dealer's terms: a reminder of what expires soon finds it
		daysAgo: [32, 27, 1],
		submittedDaysAgo: 27,
		contact: contact.withoutState,
		location: location.withoutState,
		salesPerson: userIds.salesPriya,
		areas: [['South side', { items: [one(9023, 6), one(9024, 1), one(9022, 1), one(8001, 9)] }]],
	},
	{
		id: proposalIds.accepted,
		name: 'Holt family room',
		status: 'Accepted',
		daysAgo: [115, 98, 94],
		contact: contact.withPrimary,
		location: location.withPrimary,
		other: { payment_description: 'Three payments, by card or bank transfer.' },
		areas: [
			[
				'Family room',
				{ status: 'Accepted', items: [one(9002, 1), one(9013, 1), one(9010, 5), one(8001, 10)] },
			],
		],
	},
	{
		id: proposalIds.completed,
		name: 'Quarry Street bar sound',
		status: 'Completed',
		daysAgo: [132, 117, 69],
		contact: contact.company,
		location: location.companyPrimary,
		areas: [['Bar', { status: 'Accepted', items: [one(9009, 6), one(9014, 1), one(8001, 11)] }]],
	},
	{
		id: proposalIds.declined,
		name: 'Ostrowski drapery',
		status: 'Declined',
		daysAgo: [108, 99, 90],
		contact: contact.withoutPrimary,
		location: location.withoutPrimaryFirst,
		areas: [['Living room', { items: [one(9024, 2), one(8001, 6)] }]],
	},
	{
		id: proposalIds.expired,
		name: 'Holt driveway gate',
		status: 'Expired',
		daysAgo: [126, 120, 90],
		contact: contact.withPrimary,
		location: location.withPrimary,
		areas: [['Gate', { items: [one(9030, 1), one(9033, 1), one(8001, 8)] }]],
	},
	{
		id: proposalIds.delayed,
		name: 'Menon theatre',
		status: 'Delayed',
		daysAgo: [51, 45, 27],
		contact: contact.withoutLocation,
		areas: [['Theatre', { items: [one(9004, 1), one(9005, 1), one(8001, 16)] }]],
	},
	{
		id: proposalIds.emailFailed,
		name: 'Adeyemi locks',
		status: 'EmailFailed',
		daysAgo: [42, 41, 41],
		contact: contact.incomplete,
		location: location.incomplete,
		areas: [['Doors', { items: [one(9032, 4), one(9034, 1), one(9035, 6), one(8001, 4)] }]],
	},
	{
		id: proposalIds.archived,
		name: 'Old showroom idea',
		status: 'Draft',
		daysAgo: [169, 168, 168],
		other: { is_archived: 1 },
		areas: [['Showroom', { items: [one(9016, 1), one(9018, 2)] }]],
	},
];
