/** The flat fields of records that several operations output. Those that people map most come first. */
import type { Shape } from '../../shared/simplify';
import { changeOrderFields, proposalShape } from '../../shared/shapes';
import type { Output } from '../operation/output';

/** Lists lack these fields of proposals and change orders. Amounts are in the currency of the record. */
const detailFields: Shape = {
	profit: ['number', 'profit.total'],
	margin: ['number', 'profit.percentage'],
	partsTotal: ['number', 'financialSummary.partsTotal'],
	laborTotal: ['number', 'financialSummary.laborTotal'],
	feeTotal: ['number', 'financialSummary.feeTotal'],
	salesTax: ['number', 'financialSummary.salesTax.total'],
	currency: ['string', 'financialSummary.currency.code', 'total.currency.code'],
	createdDate: 'string',
	lastSubmittedDate: 'string',
	clientLastOpenedDate: 'string',
	clientLastDecisionDate: 'string',
	description: ['string', 'projectDescription'],
};

const fullProposalShape: Shape = {
	...proposalShape,
	...detailFields,
	subtotal: ['number', 'financialSummary.proposalSubtotal'],
	lastCompletedDate: 'string',
	salesPersonId: ['integer?', 'dealer.salesperson.id'],
	salesPersonEmail: ['string', 'dealer.salesperson.email'],
	locationId: ['integer?', 'customer.location.id'],
};

export const proposalOutput: Output = { flat: fullProposalShape };

export const createdProposalOutput: Output = { flat: { ...fullProposalShape, reused: 'boolean' } };

export const refreshedOutput: Output = {
	flat: fullProposalShape,
	simplified: [
		'proposalId',
		'number',
		'name',
		'status',
		'clientName',
		'salesPersonName',
		'proposalTotal',
		'profit',
		'margin',
		'lastModifiedDate',
	],
};

export const changeOrderOutput: Output = {
	flat: { ...changeOrderFields, lastModifiedDate: 'string', ...detailFields },
};

/** Amounts are per unit, except for the total. Labor has a name instead of a brand and a model. */
const item: Shape = {
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
	referencedItemId: 'integer',
	shortDescription: 'string',
	clientNote: 'string',
	isTaxExempt: 'boolean',
	isRecurringService: 'boolean',
	isCombinedPrice: ['boolean', 'total.isCombinedPrice'],
	changeOrderId: 'integer?',
	costUpdateDate: 'string',
};

export const itemOutput: Output = { flat: item };

/** The output `reused` says whether the proposal already had the item. */
export const addedItemOutput: Output = { flat: { ...item, reused: 'boolean' } };
