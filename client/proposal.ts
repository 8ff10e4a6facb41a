import type { Contact } from './contact';
import { isRecord, isRecords, optionalList, ShapeError } from './guards';
import { path, type ServiceRequest } from './request';

// The fields of the service's responses that the code reads (docs/dev/portal-api.md#the-proposal). Money
// is in the currency of the proposal; dates are ISO 8601 in UTC.

/** `status` of proposals and change orders. */
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

/** `status` of payment requests, apart from those they are created in. */
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

/** `ItemType` of the catalog; fees have no catalog. */
export const CATALOG_ITEM_TYPES = ['CustomItem', 'Labor', 'Part'] as const;

export interface AreaItem {
	id: number;
	/** The item that it is nested under. */
	parentId?: number | null;
	itemType: (typeof ITEM_TYPES)[number];
	/** The item of the catalog, or of the account's own library. */
	referencedItemId: number;
	brand?: string | null;
	model?: string | null;
	/** The name of labor; parts and custom items have brand and model. */
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

/** An area with its options and items, if only as empty lists: see `areasOf`. */
export interface Area {
	id: number;
	name: string;
	options: AreaOption[];
}

/** A proposal in a list. */
export interface ProposalSummary {
	id: number;
	number: number;
	name: string;
	status: string;
	createdDate: string;
	lastModifiedDate: string;
	customer?: Contact | null;
}

export interface Proposal extends ProposalSummary {
	financialSummary: { partsDiscount?: number };
	areas?: unknown;
	dealer?: { salesperson?: { id?: number } | null } | null;
	customer?: (Contact & { location?: { id?: number } | null }) | null;
	projectDescription?: string | null;
	/** When the client accepted or declined last; null when it never did. */
	clientLastDecisionDate?: string | null;
	clientLastOpenedDate?: string | null;
	lastCompletedDate?: string | null;
	lastSubmittedDate?: string | null;
	lastModifiedUser?: Pick<Contact, 'firstName' | 'lastName'> | null;
	changeOrders?: ChangeOrder[] | null;
	paymentRequests?: PaymentRequest[] | null;
	/** Planned payments, due on a date or at a milestone, which are not requested yet. */
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
	/** Among the options of the area, from 1. */
	optionNumber: number;
}

/** An item and where it is. */
export interface ProposalItem extends AreaItem {
	proposalId: number;
	proposalNumber: number;
	/** The change order of an item; `proposalId` is that of its proposal. */
	changeOrderId?: number;
	areaId: number;
	areaName: string;
	areaOptionId: number;
	areaOptionStatus: string;
}

export const proposalRequest = (id: number | string): ServiceRequest => ({
	method: 'GET',
	path: path`/public/proposals/${id}`,
});

/** A session, or the call of an operation. */
interface Sender {
	send(request: ServiceRequest): Promise<unknown>;
}

/** Throws a ShapeError for anything but a proposal. */
export const readProposal = async (sender: Sender, id: number | string): Promise<Proposal> =>
	requireProposal(await sender.send(proposalRequest(id)));

/** Whether a response is a proposal or change order. Each of its lists may be absent. */
export const isProposal = (response: unknown): response is Proposal =>
	isRecord(response) &&
	typeof response.id === 'number' &&
	typeof response.number === 'number' &&
	isRecords(response.changeOrders ?? []) &&
	isRecords(response.paymentRequests ?? []);

/** Throws a ShapeError for a response that is not a proposal: it must not count as an empty one. */
export function requireProposal(response: unknown): Proposal {
	if (isProposal(response)) return response;
	throw new ShapeError('a proposal', response);
}

/**
 * The proposal after a change: the response to the change, which saves a read, if it shows the items.
 * A shortened proposal would show that every item is gone. `mayBeEmpty` is true if no items are expected.
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

/** The areas of a proposal or change order. Throws a ShapeError if a list has another type. */
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

/** The options of all areas; throws as `areasOf`. */
export function optionsOf(proposal: Pick<Proposal, 'areas'>): PlacedOption[] {
	const options: PlacedOption[] = [];
	for (const area of areasOf(proposal)) {
		for (const [index, option] of area.options.entries()) {
			options.push({ area, option, optionNumber: index + 1 });
		}
	}
	return options;
}

/** The items of all options; those of a change order belong to its `parent`. Throws as `areasOf`. */
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
		for (const item of option.items) items.push({ ...item, ...location });
	}
	return items;
}
