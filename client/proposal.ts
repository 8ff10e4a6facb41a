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

/** Item types of the catalog, which has no fees. */
export const CATALOG_ITEM_TYPES = ['CustomItem', 'Labor', 'Part'] as const;

export interface AreaItem {
	id: number;
	/** ID of the item under which this one is nested. */
	parentId?: number | null;
	itemType: (typeof ITEM_TYPES)[number];
	/** ID in the catalog, or in the account's own library. */
	referencedItemId: number;
	brand?: string | null;
	model?: string | null;
	/** Name of labor. Parts and custom items have a brand and a model instead. */
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

/** An area as `areasOf` returns it, with empty lists in place of absent ones. */
export interface Area {
	id: number;
	name: string;
	options: AreaOption[];
}

/** The short form of a proposal in lists. */
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
	/** `applyTo` lists the taxed components of the total: Parts, Labor, and Fee. */
	calculation?: { applyTo?: string[] | null } | null;
}

export interface Proposal extends ProposalSummary {
	financialSummary: FinancialSummary;
	areas?: unknown;
	dealer?: { salesperson?: { id?: number } | null } | null;
	customer?: (Contact & { location?: { id?: number } | null }) | null;
	projectDescription?: string | null;
	/** Date of the last acceptance or decline. */
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
	/** ID of the item's change order. `proposalId` is then the ID of the change order's proposal. */
	changeOrderId?: number;
	areaId: number;
	areaName: string;
	areaOptionId: number;
	areaOptionStatus: string;
	/** True if the sales tax of the proposal or change order includes the item. */
	isTaxed: boolean;
}

export const proposalRequest = (id: number | string): ServiceRequest => ({
	method: 'GET',
	path: path`/public/proposals/${id}`,
});

/** A session or an operation's call. */
interface Sender {
	send(request: ServiceRequest): Promise<unknown>;
}

/** Reads a proposal. Throws a ShapeError for any other response. */
export const readProposal = async (sender: Sender, id: number | string): Promise<Proposal> =>
	requireProposal(await sender.send(proposalRequest(id)));

/** Recognizes a proposal or change order. Its lists can be absent. */
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
 * Returns the response to a change if it is the whole proposal; reads the proposal otherwise. Unless `mayBeEmpty`, a
 * response without items counts as a short form, because it would look as if all items were deleted.
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

/** Returns the areas with all their lists. Throws a ShapeError if one of them is not a list. */
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

/** Returns the items with their locations. Items of a change order get the IDs of its `parent`. */
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

/** Components of the total by item type. Custom items count as parts (assumed). */
const TAX_COMPONENTS: Record<string, string> = {
	CustomItem: 'Parts',
	Fee: 'Fee',
	Labor: 'Labor',
	Part: 'Parts',
};

/** Returns whether the sales tax includes an item. If Portal.io returns no tax amount, it does not. */
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
