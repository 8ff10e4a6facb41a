/** Flat fields of records that several operations output. The fields that people map most come first. */
import type { AreaItem } from '../../../client/proposal';
import type { Shape } from '../../shared/simplify';
import {
	changeOrderFields,
	lastModifiedBy,
	listedProposalFields,
	salespersonFields,
} from '../../shared/shapes';
import { toWords } from '../../shared/text';
import type { Output } from '../operation/output';
import { addMoney, multiplyMoney } from './money';

/** A proposal or change order. `before` is the proposal before its costs were refreshed. */
interface PricedRecord {
	financialSummary?: {
		proposalSubtotal?: number;
		changeOrderSubtotal?: number;
		salesTax?: { total?: number | null } | null;
	};
	profit?: { total?: number; percentage?: number } | null;
	before?: PricedRecord;
}

/** Returns whether the total of a proposal or change order is 0. */
export const hasNoSale = ({ financialSummary }: PricedRecord): boolean =>
	(financialSummary?.proposalSubtotal ?? financialSummary?.changeOrderSubtotal) === 0;

/**
 * Returns the margin, or undefined if the total is 0. Portal.io then returns 0, which a report would count as the
 * lowest margin.
 */
const marginOf = (record: PricedRecord): number | undefined =>
	hasNoSale(record) ? undefined : record.profit?.percentage;

/** Dates of proposals and change orders. Lists also have these fields. */
const dateFields: Shape = { lastModifiedDate: 'string', createdDate: 'string' };
const currency: Shape = {
	currency: ['string', 'financialSummary.currency.code', 'total.currency.code'],
};

/**
 * Fields of full proposals and change orders that are missing from lists. Amounts are in the currency of the record.
 */
const detailFields: Shape<PricedRecord> = {
	profit: ['number', 'profit.total'],
	margin: ['number', marginOf],
	partsTotal: ['number', 'financialSummary.partsTotal'],
	laborTotal: ['number', 'financialSummary.laborTotal'],
	feeTotal: ['number', 'financialSummary.feeTotal'],
	salesTax: ['number', 'financialSummary.salesTax.total'],
	lastSubmittedDate: 'string',
	clientLastOpenedDate: 'string',
	clientLastDecisionDate: 'string',
	description: ['string', 'projectDescription'],
};

const fullProposalShape: Shape<PricedRecord> = {
	...listedProposalFields,
	...salespersonFields,
	...dateFields,
	...lastModifiedBy,
	...currency,
	...detailFields,
	subtotal: ['number', 'financialSummary.proposalSubtotal'],
	lastCompletedDate: 'string',
	salesPersonId: ['integer?', 'dealer.salesperson.id'],
	salesPersonEmail: ['string', 'dealer.salesperson.email'],
	locationId: ['integer?', 'customer.location.id'],
};

const MARGIN =
	'In percent, such as 41. Empty if the total is 0. A Filter step treats an empty margin as 0.';

export const proposalOutput: Output = {
	flat: fullProposalShape,
	descriptions: { margin: MARGIN },
};

const listedProposalShape = { ...listedProposalFields, ...dateFields, ...currency };

/** Labels of the fields that a list of proposals lacks, by name. */
export const UNLISTED_FIELDS: ReadonlyMap<string, string> = new Map(
	Object.keys(fullProposalShape)
		.filter((name) => !(name in listedProposalShape))
		.map((name) => [name, toWords(name)]),
);

const REQUIRES_DETAILS = "Requires 'Include Full Proposal'";

/** Output of a list of proposals. The list always has the fields of *Simplified*. */
export const listedProposalOutput: Output = {
	flat: fullProposalShape,
	simplified: Object.keys({ ...listedProposalFields, ...dateFields }),
	descriptions: {
		...Object.fromEntries([...UNLISTED_FIELDS.keys()].map((name) => [name, REQUIRES_DETAILS])),
		margin: `${MARGIN} ${REQUIRES_DETAILS}.`,
	},
};

export const createdProposalOutput: Output = {
	flat: { ...fullProposalShape, reused: 'boolean' },
	simplified: [
		'proposalId',
		'number',
		'name',
		'status',
		'contactId',
		'clientName',
		'clientEmail',
		'salesPersonName',
		'proposalTotal',
		'reused',
	],
	descriptions: { margin: MARGIN },
};

const refreshedShape: Shape<PricedRecord> = {
	...fullProposalShape,
	profitBefore: ['number', 'before.profit.total'],
	marginBefore: ['number', ({ before }) => before && marginOf(before)],
};

export const refreshedOutput: Output = {
	flat: refreshedShape,
	simplified: [
		'proposalId',
		'number',
		'name',
		'margin',
		'marginBefore',
		'profit',
		'profitBefore',
		'proposalTotal',
		'clientName',
		'salesPersonName',
	],
	descriptions: { margin: MARGIN, marginBefore: MARGIN },
};

const changeOrderShape: Shape<PricedRecord> = {
	...changeOrderFields,
	...salespersonFields,
	...dateFields,
	...currency,
	...detailFields,
	subtotal: ['number', 'financialSummary.changeOrderSubtotal'],
	totalWithTax: ['number', totalWithTaxOf],
};

/** Calculates a change order's total with tax, because Portal.io returns a total with tax only for proposals. */
function totalWithTaxOf({ financialSummary }: PricedRecord): number | undefined {
	return addMoney(financialSummary?.changeOrderSubtotal, financialSummary?.salesTax?.total ?? 0);
}

export const changeOrderOutput: Output = {
	flat: changeOrderShape,
	descriptions: {
		changeOrderTotal: 'Without sales tax',
		margin: MARGIN,
		totalWithTax: 'Subtotal plus sales tax',
	},
};

export const listedChangeOrderOutput: Output = {
	flat: { ...changeOrderFields, ...dateFields, ...currency },
};

/** Fields of an item. Prices are per unit. Labor has a name instead of a brand and a model. */
const item: Shape<Partial<AreaItem>> = {
	itemId: ['integer', 'id'],
	name: ['string', 'brand + model', 'name'],
	quantity: 'number',
	cost: 'number',
	sellPrice: 'number',
	areaName: 'string',
	supplier: 'string',
	brand: 'string',
	model: 'string',
	proposalId: 'integer',
	itemType: 'string',
	optionStatus: ['string', 'areaOptionStatus'],
	total: ['number', 'total.amount'],
	msrp: 'number',
	areaOptionId: 'integer',
	parentId: 'integer?',
	catalogItemId: ['integer', 'referencedItemId'],
	shortDescription: 'string',
	clientNote: 'string',
	isTaxExempt: 'boolean',
	isRecurringService: 'boolean',
	isCombinedPrice: ['boolean', 'total.isCombinedPrice'],
	changeOrderId: 'integer?',
	costUpdateDate: 'string',
	amount: ['number', ({ quantity, sellPrice }) => multiplyMoney(quantity, sellPrice)],
	costAmount: ['number', ({ quantity, cost }) => multiplyMoney(quantity, cost)],
	isTaxed: 'boolean',
};

const itemDescriptions = {
	amount: 'Quantity × sell price',
	costAmount: 'Quantity × cost',
	isTaxed: 'Whether sales tax is charged for the item',
	total: 'Includes nested items if the price is combined',
};

export const itemOutput: Output = { flat: item, descriptions: itemDescriptions };

export const addedItemOutput: Output = {
	flat: { ...item, reused: 'boolean' },
	simplified: [
		'itemId',
		'name',
		'quantity',
		'cost',
		'sellPrice',
		'areaName',
		'supplier',
		'model',
		'proposalId',
		'reused',
	],
	descriptions: itemDescriptions,
};
