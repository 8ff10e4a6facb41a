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
		days: ['2026-04-02', '2026-05-11', '2026-05-11'],
		contact: contact.withPrimary,
		location: location.withPrimary,
		other: { project_description: 'A quiet theatre in the lower level.' },
		areas: [['Theatre', { items: theatre }]],
	},
	{
		id: proposalIds.staleWholeHome,
		name: 'Quarry Street hotel lobby',
		status: 'Draft',
		days: ['2026-04-06', '2026-05-20', '2026-05-20'],
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
		days: ['2026-04-09', '2026-05-21', '2026-05-21'],
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
		days: ['2026-04-14', '2026-05-22', '2026-05-22'],
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
		days: ['2026-04-20', '2026-05-23', '2026-05-23'],
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
		days: ['2026-05-02', '2026-06-01', '2026-06-01'],
		contact: contact.incomplete,
		location: location.incomplete,
		areas: [['Ground floor', { items: [one(9020, 11), one(9021, 4), one(9022, 1), one(8002, 6)] }]],
	},
	{
		id: proposalIds.freshNetwork,
		name: 'Marchand network',
		status: 'Draft',
		// modified at the same time as freshLighting: the order of lists must still be stable
		days: ['2026-05-04', '2026-06-01', '2026-06-01'],
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
		days: ['2026-06-10', '2026-06-10', '2026-06-10'],
		areas: [],
	},
	{
		id: proposalIds.submitted,
		name: 'Holt bedroom televisions',
		status: 'Submitted',
		days: ['2026-06-12', '2026-06-15', '2026-06-15'],
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
		days: ['2026-06-16', '2026-06-18', '2026-06-18'],
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
		days: ['2026-06-20', '2026-06-22', '2026-06-25'],
		contact: contact.withoutState,
		location: location.withoutState,
		salesPerson: userIds.salesPriya,
		areas: [['South side', { items: [one(9023, 6), one(9024, 1), one(9022, 1), one(8001, 9)] }]],
	},
	{
		id: proposalIds.accepted,
		name: 'Holt family room',
		status: 'Accepted',
		days: ['2026-03-03', '2026-03-20', '2026-03-24'],
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
		days: ['2026-02-14', '2026-03-01', '2026-04-18'],
		contact: contact.company,
		location: location.companyPrimary,
		areas: [['Bar', { status: 'Accepted', items: [one(9009, 6), one(9014, 1), one(8001, 11)] }]],
	},
	{
		id: proposalIds.declined,
		name: 'Ostrowski drapery',
		status: 'Declined',
		days: ['2026-03-10', '2026-03-19', '2026-03-28'],
		contact: contact.withoutPrimary,
		location: location.withoutPrimaryFirst,
		areas: [['Living room', { items: [one(9024, 2), one(8001, 6)] }]],
	},
	{
		id: proposalIds.expired,
		name: 'Holt driveway gate',
		status: 'Expired',
		days: ['2026-02-20', '2026-02-26', '2026-03-28'],
		contact: contact.withPrimary,
		location: location.withPrimary,
		areas: [['Gate', { items: [one(9030, 1), one(9033, 1), one(8001, 8)] }]],
	},
	{
		id: proposalIds.delayed,
		name: 'Menon theatre',
		status: 'Delayed',
		days: ['2026-05-06', '2026-05-12', '2026-05-30'],
		contact: contact.withoutLocation,
		areas: [['Theatre', { items: [one(9004, 1), one(9005, 1), one(8001, 16)] }]],
	},
	{
		id: proposalIds.emailFailed,
		name: 'Adeyemi locks',
		status: 'EmailFailed',
		days: ['2026-05-15', '2026-05-16', '2026-05-16'],
		contact: contact.incomplete,
		location: location.incomplete,
		areas: [['Doors', { items: [one(9032, 4), one(9034, 1), one(9035, 6), one(8001, 4)] }]],
	},
	{
		id: proposalIds.archived,
		name: 'Old showroom idea',
		status: 'Draft',
		days: ['2026-01-08', '2026-01-09', '2026-01-09'],
		other: { is_archived: 1 },
		areas: [['Showroom', { items: [one(9016, 1), one(9018, 2)] }]],
	},
];
