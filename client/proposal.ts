import type { Contact } from './contact';
import { isRecord, isRecords, optionalList, ShapeError } from './responseShape';
import { path, type ServiceRequest } from './request';

// These types contain only the fields that the code reads. docs/dev/portal-api.md#the-proposal lists all fields.

/** Statuses of proposals and change orders. */
export const PROPOSAL_STATUSES = [
	'Accepted',
	'Completed',
	'Declined',
	'Delayed',
	'Draft',
	'EmailFailed',
	'Expired',
	'Submitted',
	'ViewedByClient',
] as const;

export const PAYMENT_STATUSES = [
	'Cancelled',
	'Declined',
	'Draft',
	'Paid',
	'Pending',
	'Refunded',
	'RequiresAction',
	'Submitted',
	'Verifying',
	'Viewed',
] as const;

export const ITEM_TYPES = ['CustomItem', 'Fee', 'Labor', 'Part'] as const;

/** Types of items in the catalog, which has no fees. */
export const CATALOG_ITEM_TYPES = ['CustomItem', 'Labor', 'Part'] as const;

export interface AreaItem {
	id: number;
	/** ID of the item under which this one is nested. */
	parentId?: number | null;
	itemType: (typeof ITEM_TYPES)[number];
	/** ID of the item in the catalog, or in the account's own library. */
	referencedItemId: number;
	brand?: string | null;
	model?: string | null;
	/** Name of a labor item. Parts and custom items have a brand and a model instead. */
	name?: string | null;
	quantity: number;
	[field: string]: unknown;
}

export interface AreaOption {
	id: number;
	status: string;
	clientDescription?: string | null;
	installerDescription?: string | null;
	items: AreaItem[];
}

/** An area as `areasOf` returns it, with an empty list in place of each absent list. */
export interface Area {
	id: number;
	name: string;
	options: AreaOption[];
}

/** A proposal as it appears in lists, without its details. */
export interface ProposalSummary {
	id: number;
	number: number;
	name: string;
	status: string;
	createdDate: string;
	lastModifiedDate: string;
	customer?: Contact | null;
}

interface FinancialSummary {
	partsDiscount?: number;
	proposalSubtotal?: number;
	salesTax?: SalesTax | null;
}

interface SalesTax {
	total?: number | null;
	/**
	 * How the tax is calculated. `applyTo` lists the taxed components of the total, such as 'Parts', 'Labor', or 'Fee'.
	 */
	calculation?: { applyTo?: string[] | null } | null;
}

export interface Proposal extends ProposalSummary {
	financialSummary: FinancialSummary;
	areas?: unknown;
	dealer?: { salesperson?: { id?: number } | null } | null;
	customer?: (Contact & { location?: { id?: number } | null }) | null;
	projectDescription?: string | null;
	/** Date when the client last accepted or declined the proposal. */
	clientLastDecisionDate?: string | null;
	clientLastOpenedDate?: string | null;
	lastCompletedDate?: string | null;
	lastSubmittedDate?: string | null;
	lastModifiedUser?: Pick<Contact, 'firstName' | 'lastName'> | null;
	changeOrders?: ChangeOrder[] | null;
	paymentRequests?: PaymentRequest[] | null;
	/** Planned payments that have not been requested. */
	paymentSchedule?: { payments?: unknown[] | null } | null;
	recurringServices?: unknown;
}

export type ChangeOrder = Omit<ProposalSummary, 'customer'>;

export interface PaymentRequest {
	id: number;
	status: string;
}

export interface PlacedOption {
	area: Area;
	option: AreaOption;
	/** Position among the options of the area, counted from 1. */
	optionNumber: number;
}

/** An item with its location in the proposal. */
export interface ProposalItem extends AreaItem {
	proposalId: number;
	proposalNumber: number;
	/**
	 * ID of the change order that contains the item; undefined if the proposal itself does. In both cases, `proposalId`
	 * is the ID of the proposal.
	 */
	changeOrderId?: number;
	areaId: number;
	areaName: string;
	areaOptionId: number;
	areaOptionStatus: string;
	/** True if the sales tax of the proposal or change order applies to the item. */
	isTaxed: boolean;
}

export const proposalRequest = (id: number | string): ServiceRequest => ({
	method: 'GET',
	path: path`/public/proposals/${id}`,
});

/** A `Session` or an `OperationCall`, both of which can send requests. */
interface Sender {
	send(request: ServiceRequest): Promise<unknown>;
}

/** Reads a proposal. Throws a ShapeError if the response is not a proposal. */
export const readProposal = async (sender: Sender, id: number | string): Promise<Proposal> =>
	requireProposal(await sender.send(proposalRequest(id)));

/** Returns whether a response is a proposal or change order. Both can lack any of their lists. */
export const isProposal = (response: unknown): response is Proposal =>
	isRecord(response) &&
	typeof response.id === 'number' &&
	typeof response.number === 'number' &&
	isRecords(response.changeOrders ?? []) &&
	isRecords(response.paymentRequests ?? []);

/**
 * Returns the response if it is a proposal. Throws a ShapeError otherwise, because any other object would look like an
 * empty proposal.
 */
export function requireProposal(response: unknown): Proposal {
	if (isProposal(response)) return response;
	throw new ShapeError('a proposal', response);
}

/**
 * Returns the response to a change if that response is the whole proposal. Otherwise, reads the proposal. Unless
 * `mayBeEmpty` is true, a response without items is treated as incomplete, because it would look as if all items had
 * been deleted.
 */
export async function readChangedProposal(
	sender: Sender,
	id: number,
	response: unknown,
	mayBeEmpty = false,
): Promise<Proposal> {
	if (!isProposal(response) || response.id !== id) return await readProposal(sender, id);
	const isWhole = itemsOf(response).length > 0 || (mayBeEmpty && response.areas);
	return isWhole ? response : await readProposal(sender, id);
}

/** Returns a proposal's areas, with their options and items. Throws a ShapeError if any of these is not a list. */
export function areasOf(proposal: Pick<Proposal, 'areas'>): Area[] {
	const areas: Area[] = [];
	for (const area of optionalList<Area>(proposal, 'areas')) {
		const options: AreaOption[] = [];
		for (const option of optionalList<AreaOption>(area, 'options')) {
			options.push({ ...option, items: optionalList<AreaItem>(option, 'items') });
		}
		areas.push({ ...area, options });
	}
	return areas;
}

export function optionsOf(proposal: Pick<Proposal, 'areas'>): PlacedOption[] {
	const options: PlacedOption[] = [];
	for (const area of areasOf(proposal)) {
		for (const [index, option] of area.options.entries()) {
			options.push({ area, option, optionNumber: index + 1 });
		}
	}
	return options;
}

/**
 * Returns the items of a proposal or change order, with their locations. For a change order, `parent` is its proposal.
 */
export function itemsOf(proposal: Proposal, parent = proposal): ProposalItem[] {
	const items: ProposalItem[] = [];
	for (const { area, option } of optionsOf(proposal)) {
		const location = {
			proposalId: parent.id,
			proposalNumber: parent.number,
			...(parent !== proposal && { changeOrderId: proposal.id }),
			areaId: area.id,
			areaName: area.name,
			areaOptionId: option.id,
			areaOptionStatus: option.status,
		};
		for (const item of option.items) {
			items.push({ ...item, ...location, isTaxed: isTaxed(item, proposal) });
		}
	}
	return items;
}

/** Component of the total to which each item type belongs. Custom items count as parts (assumed). */
const TAX_COMPONENTS: Record<string, string> = {
	CustomItem: 'Parts',
	Fee: 'Fee',
	Labor: 'Labor',
	Part: 'Parts',
};

/**
 * Returns whether the sales tax of a proposal or change order applies to an item. Returns false if there is no tax
 * amount.
 */
function isTaxed(item: AreaItem, { financialSummary }: Proposal): boolean {
	const salesTax = financialSummary?.salesTax;
	const applyTo = salesTax?.calculation?.applyTo;
	const component = TAX_COMPONENTS[item.itemType] ?? '';
	return (
		(salesTax?.total ?? 0) !== 0 &&
		item.isTaxExempt !== true &&
		(applyTo?.includes(component) ?? true)
	);
}
