import { isRecord, listOrNone, ShapeError } from '../../client/list';
import type { Area, AreaItem, AreaOption, Proposal } from '../../client/model';

/** An area whose options and items are there, if only as empty lists. */
export interface ReadArea extends Area {
	options: Array<AreaOption & { items: AreaItem[] }>;
}

/**
 * A proposal that was read: what is none never counts as one without areas or payments.
 *
 * @throws ShapeError
 */
export function takeProposal(response: unknown): Proposal {
	if (isRecord(response) && typeof response.id === 'number') return response as unknown as Proposal;
	throw new ShapeError('a proposal', response);
}

/**
 * The areas of a proposal or change order.
 *
 * @throws ShapeError where something else than areas, options or items is in their places
 */
export const areasOf = (proposal: unknown): ReadArea[] =>
	listOrNone<Area>(proposal, 'areas').map((area) => ({
		...area,
		options: listOrNone<AreaOption>(area, 'options').map((option) => ({
			...option,
			items: listOrNone<AreaItem>(option, 'items'),
		})),
	}));
