/**
 * Contains records with every documented field (docs/dev/portal-api.md), each followed by its output. Apart from true
 * and false, no value occurs twice in a record, so a test fails if an output has the value of another field.
 */

const currency = (code: string, symbol: string) => ({ code, symbol });

export const customer = {
	id: 7001,
	partyType: 'Company',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft Design',
	contactEmail: 'ann@loft.example',
	contactEmailCC: 'office@loft.example',
	contactPhone: '555-0101',
	location: {
		id: 7101,
		street: '1 Elm Street',
		suite: 'Suite B',
		city: 'Boise',
		postalCode: '83702',
		state: 'Idaho',
		stateAbbrev: 'ID',
		country: 'United States',
		phone: '555-0102',
	},
};

export const dealer = {
	companyName: 'Clear Sound',
	location: {
		id: 7201,
		street: '2 Oak Street',
		suite: 'Floor 3',
		city: 'Denver',
		postalCode: '80202',
		state: 'Colorado',
		stateAbbrev: 'CO',
		country: 'Canada',
		phone: '555-0103',
	},
	salesperson: { id: 7301, email: 'sam@clear.example', firstName: 'Sam', lastName: 'Poe' },
	webSiteUrl: 'https://clear.example',
	companyPhone: '555-0104',
	companyLogoUrl: 'https://clear.example/logo.png',
};

const taxCalculation = {
	method: 'ClientLocation',
	applyTo: ['Parts', 'Labor'],
	hasMultipleTaxSupport: true,
	isTaxProviderAvailable: false,
	partsTax: 6.1,
	laborTax: 6.2,
	feeTax: 6.3,
	partsTaxName: 'Parts tax',
	laborTaxName: 'Labor tax',
	feeTaxName: 'Fee tax',
	partsTax2: 1.1,
	laborTax2: 1.2,
	feeTax2: 1.3,
	partsTax2Name: 'County parts tax',
	laborTax2Name: 'County labor tax',
	feeTax2Name: 'County fee tax',
	partsTotalTax: 61.01,
	laborTotalTax: 62.02,
	feeTotalTax: 63.03,
};

const financialSummary = {
	partsSubtotal: 1100.01,
	partsDiscountType: 'Fixed',
	partsDiscountPercentage: 2.5,
	partsDiscount: 27.5,
	partsDiscountTaxable: 20.25,
	partsDiscountTaxExempt: 7.25,
	partsTotal: 1072.51,
	laborTotal: 330.02,
	feeTotal: 45.03,
	salesTax: { taxStatus: 'Ok', total: 186.06, calculation: taxCalculation },
	currency: currency('USD', '$'),
};

export const item = {
	id: 9001,
	parentId: 9002,
	itemType: 'Part',
	referencedItemId: 9003,
	createdDate: '2026-01-11T00:00:00Z',
	lastModifiedDate: '2026-01-12T00:00:00Z',
	brand: 'Sonos',
	model: 'AMPG1US1',
	description: 'An old description',
	name: 'Amplifier',
	shortDescription: 'Streaming amplifier',
	clientNote: 'In the rack',
	imageUrl: 'https://images.example/amp.png',
	msrp: 699.01,
	sellPrice: 649.02,
	cost: 450.03,
	costUpdateDate: '2026-01-13T00:00:00Z',
	supplier: 'Meridian',
	quantity: 3,
	total: { amount: 1999.08, currency: currency('EUR', '€'), isCombinedPrice: false },
	isTaxExempt: true,
	isRecurringService: true,
};

export const itemOutput = {
	itemId: 9001,
	proposalId: 48201,
	areaName: 'Den',
	optionStatus: 'Declined',
	itemType: 'Part',
	name: 'Sonos AMPG1US1',
	supplier: 'Meridian',
	quantity: 3,
	cost: 450.03,
	sellPrice: 649.02,
	brand: 'Sonos',
	model: 'AMPG1US1',
	total: 1999.08,
	msrp: 699.01,
	areaOptionId: 8101,
	parentId: 9002,
	catalogItemId: 9003,
	shortDescription: 'Streaming amplifier',
	clientNote: 'In the rack',
	isTaxExempt: true,
	isRecurringService: true,
	isCombinedPrice: false,
	changeOrderId: null,
	costUpdateDate: '2026-01-13T00:00:00Z',
	// 3 × 649.02 and 3 × 450.03
	amount: 1947.06,
	costAmount: 1350.09,
	// Parts are taxed, but this one is exempt.
	isTaxed: false,
};

export const taxedItem = { ...item, id: 9011, isTaxExempt: false };

export const taxedItemOutput = { ...itemOutput, itemId: 9011, isTaxExempt: false, isTaxed: true };

export const option = {
	id: 8101,
	status: 'Declined',
	lastModifiedDate: '2026-01-21T00:00:00Z',
	clientDescription: 'In oak',
	installerDescription: 'Bring a ladder',
	items: [item],
	total: 1948.07,
	totalRecurringService: 25.08,
};

export const area = { id: 8001, name: 'Den', options: [option] };

/** Output of `option` with its area. */
export const areaOptionOutput = {
	areaOptionId: 8101,
	areaId: 8001,
	areaName: 'Den',
	proposalId: 48201,
	status: 'Declined',
	total: 1948.07,
	totalRecurringService: 25.08,
	itemCount: 1,
	clientDescription: 'In oak',
	installerNotes: 'Bring a ladder',
};

export const paymentRequest = {
	id: 6001,
	status: 'Paid',
	amount: 500.01,
	dueDate: '2026-02-01T00:00:00Z',
	description: 'Deposit',
	paymentMethod: 'Card',
};

export const paymentOutput = {
	paymentId: 6001,
	status: 'Paid',
	amount: 500.01,
	dueDate: '2026-02-01T00:00:00Z',
	description: 'Deposit',
	paymentMethod: 'Card',
	milestone: null,
	isScheduled: false,
	proposalNumber: 1021,
	proposalId: 48201,
};

export const plannedPayment = {
	calculation: 'Percentage',
	amount: 600.02,
	due: { date: '2026-02-02T00:00:00Z', milestone: 'Rough-in' },
};

export const plannedPaymentOutput = {
	paymentId: null,
	status: null,
	amount: 600.02,
	dueDate: '2026-02-02T00:00:00Z',
	description: null,
	paymentMethod: null,
	milestone: 'Rough-in',
	isScheduled: true,
	proposalNumber: 1021,
	proposalId: 48201,
};

export const recurringService = {
	name: 'Monitoring',
	sellPrice: 30.01,
	quantity: 2,
	totalSell: 60.02,
};

/** Change order, as a proposal and the list of change orders contain it. */
export const listedChangeOrder = {
	id: 5001,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	total: { changeOrderTotal: 910.01, currency: currency('CAD', 'C$') },
	customer: {
		...customer,
		id: 5101,
		firstName: 'Bea',
		lastName: 'Fox',
		companyName: null,
		contactEmail: 'bea@fox.example',
	},
	createdDate: '2026-01-31T00:00:00Z',
	lastModifiedDate: '2026-01-30T00:00:00Z',
	lastModifiedByUserDate: '2026-01-29T00:00:00Z',
};

export const listedChangeOrderOutput = {
	changeOrderId: 5001,
	proposalId: 48201,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	clientName: 'Bea Fox',
	clientEmail: 'bea@fox.example',
	changeOrderTotal: 910.01,
	lastModifiedDate: '2026-01-30T00:00:00Z',
	currency: 'CAD',
	createdDate: '2026-01-31T00:00:00Z',
};

const inFull = {
	createdDate: '2026-01-01T00:00:00Z',
	clientLastDecisionDate: '2026-01-02T00:00:00Z',
	lastCompletedDate: '2026-01-03T00:00:00Z',
	lastModifiedDate: '2026-01-04T00:00:00Z',
	lastModifiedByUserDate: '2026-01-05T00:00:00Z',
	lastSubmittedDate: '2026-01-06T00:00:00Z',
	clientLastOpenedDate: '2026-01-07T00:00:00Z',
	customer,
	dealer,
	coverpageImageUrl: 'https://images.example/cover.png',
	aboutUs: 'We install',
	projectDescription: 'A home theater',
	areas: [area],
	profit: {
		total: 401.01,
		percentage: 31.1,
		partTotal: 302.02,
		partPercentage: 32.2,
		laborTotal: 103.03,
		laborPercentage: 33.3,
		isProfitIncludeCos: true,
	},
	recurringServices: { items: [recurringService], totalRecurringService: 61.03 },
	paymentSchedule: { customerDescription: 'In two parts', payments: [plannedPayment] },
	paymentRequests: [paymentRequest],
	projectTerms: 'Net 30',
	lastModifiedUser: { firstName: 'Max', lastName: 'Roe' },
};

export const proposal = {
	...inFull,
	id: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	financialSummary: {
		...financialSummary,
		proposalSubtotal: 1447.56,
		proposalTotal: 1633.62,
	},
	changeOrders: [{ ...listedChangeOrder, customer: null }],
};

/** Output of *Selected Fields* with all fields chosen. */
export const proposalOutput = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	contactId: 7001,
	clientName: 'Loft Design',
	clientEmail: 'ann@loft.example',
	salesPersonName: 'Sam Poe',
	proposalTotal: 1633.62,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	lastModifiedBy: 'Max Roe',
	profit: 401.01,
	margin: 31.1,
	partsTotal: 1072.51,
	laborTotal: 330.02,
	feeTotal: 45.03,
	salesTax: 186.06,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: '2026-01-06T00:00:00Z',
	clientLastOpenedDate: '2026-01-07T00:00:00Z',
	clientLastDecisionDate: '2026-01-02T00:00:00Z',
	description: 'A home theater',
	subtotal: 1447.56,
	lastCompletedDate: '2026-01-03T00:00:00Z',
	salesPersonId: 7301,
	salesPersonEmail: 'sam@clear.example',
	locationId: 7101,
};

export const changeOrder = {
	...inFull,
	id: 5001,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	financialSummary: { ...financialSummary, changeOrderSubtotal: 1447.57 },
};

export const changeOrderOutput = {
	changeOrderId: 5001,
	proposalId: 48201,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	clientName: 'Loft Design',
	clientEmail: 'ann@loft.example',
	salesPersonName: 'Sam Poe',
	changeOrderTotal: 1447.57,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	profit: 401.01,
	margin: 31.1,
	partsTotal: 1072.51,
	laborTotal: 330.02,
	feeTotal: 45.03,
	salesTax: 186.06,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: '2026-01-06T00:00:00Z',
	clientLastOpenedDate: '2026-01-07T00:00:00Z',
	clientLastDecisionDate: '2026-01-02T00:00:00Z',
	description: 'A home theater',
	subtotal: 1447.57,
	// 1447.57 + 186.06
	totalWithTax: 1633.63,
};

export const listedProposal = {
	id: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	total: { proposalTotal: 1633.62, currency: currency('USD', '$') },
	createdDate: '2026-01-01T00:00:00Z',
	lastModifiedDate: '2026-01-04T00:00:00Z',
	customer: {
		id: 7001,
		firstName: 'Ann',
		lastName: 'Lee',
		companyName: null,
		contactEmail: 'ann@loft.example',
	},
};

export const listedProposalOutput = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	contactId: 7001,
	clientName: 'Ann Lee',
	clientEmail: 'ann@loft.example',
	salesPersonName: null,
	proposalTotal: 1633.62,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	lastModifiedBy: null,
	profit: null,
	margin: null,
	partsTotal: null,
	laborTotal: null,
	feeTotal: null,
	salesTax: null,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: null,
	clientLastOpenedDate: null,
	clientLastDecisionDate: null,
	description: null,
	subtotal: null,
	lastCompletedDate: null,
	salesPersonId: null,
	salesPersonEmail: null,
	locationId: null,
};

/** Proposal as in the events for Zapier, which name some of its fields differently. */
export const reportedProposal = {
	id: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	total: 1633.62,
	customer,
	proposalPdf: 'https://files.example/proposal.pdf',
	proposalCsv: 'https://files.example/proposal.csv',
	installerPdf: 'https://files.example/installer.pdf',
	salesPerson: 'Sam Poe',
	salesPersonEmail: 'sam@clear.example',
};

export const contactLocation = {
	id: 7401,
	street: '4 Ash Street',
	suite: 'Unit 5',
	city: 'Reno',
	postalCode: '89501',
	state: 'Nevada',
	stateAbbrev: 'NV',
	country: 'Mexico',
	phone: '555-0105',
	contactFirstName: 'Cy',
	contactLastName: 'Day',
	contactPhoneNumber: '555-0106',
	contactEmail: 'cy@day.example',
	isPrimary: true,
	isBilling: false,
};

export const locationOutput = {
	locationId: 7401,
	contactId: 7001,
	street: '4 Ash Street',
	suite: 'Unit 5',
	city: 'Reno',
	postalCode: '89501',
	state: 'Nevada',
	country: 'Mexico',
	isPrimary: true,
	isBilling: false,
	stateAbbrev: 'NV',
	phone: '555-0105',
	contactFirstName: 'Cy',
	contactLastName: 'Day',
	contactEmail: 'cy@day.example',
	contactPhoneNumber: '555-0106',
};

export const contact = {
	id: 7001,
	partyType: 'Company',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft Design',
	contactEmail: 'ann@loft.example',
	contactEmailCC: 'office@loft.example',
	contactPhone: '555-0101',
	notes: 'Has a dog',
	lastModifiedDate: '2026-03-01T00:00:00Z',
	primaryLocation: contactLocation,
	billingLocation: { ...customer.location, isPrimary: false, isBilling: true },
	proposalCount: 4,
	paymentCount: 6,
};

export const simplifiedContact = {
	contactId: 7001,
	partyType: 'Company',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft Design',
	email: 'ann@loft.example',
	phone: '555-0101',
	city: 'Reno',
	lastModifiedDate: '2026-03-01T00:00:00Z',
};

export const contactOutput = {
	...simplifiedContact,
	emailCC: 'office@loft.example',
	notes: 'Has a dog',
	street: '4 Ash Street',
	postalCode: '89501',
	state: 'Nevada',
	country: 'Mexico',
	locationId: 7401,
	proposalCount: 4,
	paymentCount: 6,
};

export const part = {
	id: 9003,
	brand: 'Sonos',
	model: 'AMPG1US1',
	shortDescription: 'Streaming amplifier',
	primaryImageUrl: 'https://images.example/part.png',
	parentCategoryId: 12,
	categoryId: 47,
	categories: ['Amplifiers'],
	isFavorite: false,
	isDiscontinued: false,
	rank: 5,
	msrp: {
		msrpUsd: 701.01,
		value: 702.02,
		regularValue: 703.03,
		isCustom: false,
		currency: currency('USD', '$'),
		lastModifiedDate: '2026-03-02T00:00:00Z',
		modifiedBy: 'Portal.io',
	},
	defaultCost: {
		supplierName: 'Meridian',
		supplierSku: 'MER-1',
		managePriceStatus: 'Activated',
		accountNumber: 'A-17',
		value: 451.04,
		isInStock: true,
		isPromo: false,
		currency: currency('CAD', 'C$'),
	},
};

export const partOutput = {
	catalogItemId: 9003,
	itemType: 'Part',
	name: 'Sonos AMPG1US1',
	brand: 'Sonos',
	model: 'AMPG1US1',
	msrp: 702.02,
	sellPrice: null,
	cost: 451.04,
	supplier: 'Meridian',
	isInStock: true,
	shortDescription: 'Streaming amplifier',
	isDiscontinued: false,
};

/** Labor with the fields of Portal.io's samples. The documentation does not describe labor. */
export const labor = {
	id: 9004,
	name: 'Installation',
	shortDescription: 'Per hour',
	msrp: { value: 95.01 },
	cost: 40.02,
};

export const laborOutput = {
	catalogItemId: 9004,
	itemType: 'Labor',
	name: 'Installation',
	brand: null,
	model: null,
	msrp: null,
	sellPrice: 95.01,
	cost: 40.02,
	supplier: null,
	isInStock: null,
	shortDescription: 'Per hour',
	isDiscontinued: null,
};

export const industry = {
	id: 12,
	name: 'Audio',
	categories: [
		{ id: 47, name: 'Amplifiers', imageUrl: 'https://images.example/47.png', subCategories: [] },
	],
};

export const supplier = {
	id: 31,
	name: 'Meridian',
	cost: {
		value: 451.04,
		isPromo: false,
		isInStock: true,
		unitOfMeasure: 'Each',
		discountPercentage: 3.5,
		currency: currency('USD', '$'),
		lastVerifiedDate: '2026-03-03T00:00:00Z',
	},
};

export const user = {
	id: 7301,
	firstName: 'Sam',
	lastName: 'Poe',
	email: 'sam@clear.example',
	permissionGroup: 'Sales',
};

export const content = {
	id: 4001,
	name: 'Site walk',
	summary: 'Two speakers in the den',
	status: 'Transcribed',
	sourceType: 'Audio',
	createdDate: '2026-03-04T00:00:00Z',
	userCreated: { id: 7301, firstName: 'Sam', lastName: 'Poe', email: 'sam@clear.example' },
};

export const subscription = {
	subscriptionId: 3001,
	url: 'https://n8n.example/webhook/1',
	description: 'Won proposals',
	enabled: true,
	events: ['proposal.status_changed'],
};
