/** The one place that knows what a proposal consists of: areas, their options, and the items in these. */
import { path } from './encoding';
import { isRecord, listOrNone, ShapeError } from './list';
import type { Area, AreaItem, AreaOption, Proposal } from './model';
import type { ServiceRequest } from './request';

/** An area whose options and items are there, if only as empty lists. */
export interface ReadArea extends Area {
	options: Array<AreaOption & { items: AreaItem[] }>;
}

/** An option with its area. */
export interface PlacedOption {
	area: ReadArea;
	option: ReadArea['options'][number];
	/** Its place among the options of the area, from 1. */
	place: number;
}

/** An item with the facts of its place in a proposal. */
export interface ProposalItem extends AreaItem {
	proposalId: number;
	proposalNumber: number;
	/** Of an item of a change order, whose proposal `proposalId` is. */
	changeOrderId?: number;
	areaId: number;
	areaName: string;
	areaOptionId: number;
	areaOptionStatus: string;
}

/** The request that reads a proposal. */
export const proposalRequest = (id: number | string): ServiceRequest => ({
	method: 'GET',
	path: path`/public/proposals/${id}`,
});

type Send = (request: ServiceRequest) => Promise<unknown>;

/**
 * Reads a proposal.
 *
 * @throws ShapeError where the response is something else
 */
export const readProposal = async (send: Send, id: number | string): Promise<Proposal> =>
	takeProposal(await send(proposalRequest(id)));

/** The lists of a proposal besides its areas; it may leave out each of them. */
const LISTS = ['changeOrders', 'paymentRequests'];

/** Whether a response is a proposal or a change order. */
export const isProposal = (response: unknown): response is Proposal =>
	isRecord(response) &&
	typeof response.id === 'number' &&
	typeof response.number === 'number' &&
	LISTS.map((name) => response[name] ?? []).every(
		(list) => Array.isArray(list) && list.every(isRecord),
	);

/**
 * A response that has to be a proposal: anything else never counts as one without areas or payments.
 *
 * @throws ShapeError where it is something else
 */
export function takeProposal(response: unknown): Proposal {
	if (isProposal(response)) return response;
	throw new ShapeError('a proposal', response);
}

/**
 * The proposal after a change: the response to the change, which saves a read, if it shows the items.
 * A shortened proposal would show that every item is gone.
 *
 * @param mayBeEmpty whether the proposal had no items before the change, which added none
 * @throws ShapeError where neither the response nor what is read is the proposal
 */
export async function proposalAfterChange(
	send: Send,
	id: number,
	response: unknown,
	mayBeEmpty = false,
): Promise<Proposal> {
	if (!isProposal(response) || response.id !== id) return await readProposal(send, id);
	const isWhole = itemsOf(response).length > 0 || (mayBeEmpty && response.areas);
	return isWhole ? response : await readProposal(send, id);
}

/**
 * The areas of a proposal or change order.
 *
 * @throws ShapeError where the areas, options or items are not lists of records
 */
export const areasOf = (proposal: Pick<Proposal, 'areas'>): ReadArea[] =>
	listOrNone<Area>(proposal, 'areas').map((area) => ({
		...area,
		options: listOrNone<AreaOption>(area, 'options').map((option) => ({
			...option,
			items: listOrNone<AreaItem>(option, 'items'),
		})),
	}));

/** The options of all areas, in the order of the proposal; throws as `areasOf`. */
export const optionsOf = (proposal: Pick<Proposal, 'areas'>): PlacedOption[] =>
	areasOf(proposal).flatMap((area) =>
		area.options.map((option, index) => ({ area, option, place: index + 1 })),
	);

/** A change order, whose items belong to its proposal. */
export type ChangeOrderInFull = Proposal & { parent: Pick<Proposal, 'id' | 'number'> };

/** The items of a proposal or change order with their places, in its order; throws as `areasOf`. */
export const itemsOf = (proposal: Proposal | ChangeOrderInFull): ProposalItem[] => {
	const parent = 'parent' in proposal ? proposal.parent : undefined;
	return optionsOf(proposal).flatMap(({ area, option }) =>
		option.items.map((item) => ({
			...item,
			proposalId: parent?.id ?? proposal.id,
			proposalNumber: parent?.number ?? proposal.number,
			...(parent && { changeOrderId: proposal.id }),
			areaId: area.id,
			areaName: area.name,
			areaOptionId: option.id,
			areaOptionStatus: option.status,
		})),
	);
};
