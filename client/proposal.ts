import type { Contact } from './contact';
import { isRecord, isRecords, optionalList, ShapeError } from './guards';
import { path, type ServiceRequest } from './request';

// These are the fields that the code reads; docs/dev/portal-api.md#the-proposal has all of them.

/** Change orders have these statuses, too. */
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

/** The list omits the statuses in which payment requests are created. */
export const PAYMENT_STATUSES = [
	'Cancelled',
	'Declined',
	'Paid',
	'Pending',
	'Refunded',
	'RequiresAction',
	'Submitted',
	'Verifying',
	'Viewed',
] as const;

export const ITEM_TYPES = ['CustomItem', 'Fee', 'Labor', 'Part'] as const;

/** The catalog has no fees. */
export const CATALOG_ITEM_TYPES = ['CustomItem', 'Labor', 'Part'] as const;

export interface AreaItem {
	id: number;
	/** An item can be nested under another item. */
	parentId?: number | null;
	itemType: (typeof ITEM_TYPES)[number];
	/** Refers to the catalog, or to the account's own library. */
	referencedItemId: number;
	brand?: string | null;
	model?: string | null;
	/** Only labor has a name; parts and custom items have a brand and a model. */
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

/** `areasOf` replaces absent lists by empty ones. */
export interface Area {
	id: number;
	name: string;
	options: AreaOption[];
}

/** Lists of proposals have this short form. */
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
	/** `applyTo` names the components of the total that are taxed: Parts, Labor, and Fee. */
	calculation?: { applyTo?: string[] | null } | null;
}

export interface Proposal extends ProposalSummary {
	financialSummary: FinancialSummary;
	areas?: unknown;
	dealer?: { salesperson?: { id?: number } | null } | null;
	customer?: (Contact & { location?: { id?: number } | null }) | null;
	projectDescription?: string | null;
	/** The date of the last acceptance or decline. */
	clientLastDecisionDate?: string | null;
	clientLastOpenedDate?: string | null;
	lastCompletedDate?: string | null;
	lastSubmittedDate?: string | null;
	lastModifiedUser?: Pick<Contact, 'firstName' | 'lastName'> | null;
	changeOrders?: ChangeOrder[] | null;
	paymentRequests?: PaymentRequest[] | null;
	/** Contains planned payments, which are not requested yet. */
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
	/** Counts the options of the area from 1, as users do. */
	optionNumber: number;
}

/** An item with its location in the proposal. */
export interface ProposalItem extends AreaItem {
	proposalId: number;
	proposalNumber: number;
	/** Set for an item of a change order; `proposalId` is then the ID of its proposal. */
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

/** A session and the call of an operation can both send. */
interface Sender {
	send(request: ServiceRequest): Promise<unknown>;
}

/** Throws a ShapeError for anything but a proposal. */
export const readProposal = async (sender: Sender, id: number | string): Promise<Proposal> =>
	requireProposal(await sender.send(proposalRequest(id)));

/** Also recognizes a change order. Lists may be absent. */
export const isProposal = (response: unknown): response is Proposal =>
	isRecord(response) &&
	typeof response.id === 'number' &&
	typeof response.number === 'number' &&
	isRecords(response.changeOrders ?? []) &&
	isRecords(response.paymentRequests ?? []);

/** Throws a ShapeError, since another response would count as a proposal without items. */
export function requireProposal(response: unknown): Proposal {
	if (isProposal(response)) return response;
	throw new ShapeError('a proposal', response);
}

/**
 * Returns the response to a change if it is the whole proposal, and otherwise reads the proposal. In a
 * shortened response, all items would seem to be gone, so it must have items unless it `mayBeEmpty`.
 */
export async function proposalAfterChange(
	sender: Sender,
	id: number,
	response: unknown,
	mayBeEmpty = false,
): Promise<Proposal> {
	if (!isProposal(response) || response.id !== id) return await readProposal(sender, id);
	const isWhole = itemsOf(response).length > 0 || (mayBeEmpty && response.areas);
	return isWhole ? response : await readProposal(sender, id);
}

/** Throws a ShapeError if a list has another type. */
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

/** The items of a change order belong to its `parent`. */
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

/** The component of the total to which items of a type belong. Custom items count as parts (assumed). */
const TAX_COMPONENTS: Record<string, string> = {
	CustomItem: 'Parts',
	Fee: 'Fee',
	Labor: 'Labor',
	Part: 'Parts',
};

/** Portal.io leaves out the total of a sales tax that it could not calculate. */
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
