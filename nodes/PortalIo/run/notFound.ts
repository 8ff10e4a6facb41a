import { NodeApiError } from 'n8n-workflow';
import { NoRouteError } from '../../../client/errors';
import type { Proposal } from '../../../client/model';
import { areasOf, itemsOf, optionsOf, readProposal } from '../../../client/proposal';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import { joinLines } from '../../shared/failure';
import { proposalsWith } from './findProposal';
import type { AnyValues, Operation } from '../operation/operation';

/** How many results of a search for a number are looked through: one page. */
const PAGE = 100;

/** One input whose request was answered. */
interface Answered {
	session: Session;
	operation: Operation;
	/** Its values as the user gave them, and with IDs. */
	given: AnyValues;
	values: AnyValues;
	itemIndex: number;
}

/**
 * Says of a 404 which ID is wrong: a proposal's number stands in the place of its ID, or a record belongs
 * to another proposal. That costs up to two reads.
 *
 * @returns the error, with that as the first line of its description where it is so
 */
export async function explainNotFound(error: Error, answered: Answered): Promise<Error> {
	const { proposalId: id } = answered.given as { proposalId?: unknown };
	const isNotFound =
		error instanceof NodeApiError && !(error instanceof NoRouteError) && error.httpCode === '404';
	if (!isNotFound || typeof id !== 'number') return error;
	const reason = await reasonOf(id, answered).catch(() => undefined);
	if (reason !== undefined) {
		error.description = joinLines(reason, error.description);
	}
	return error;
}

async function reasonOf(
	proposalId: number,
	{ session, operation, values, itemIndex }: Answered,
): Promise<string | undefined> {
	const others = Object.entries(PLACES).filter(([name]) => name in values);
	const proposal =
		others.length === 0
			? undefined
			: await readProposal((request) => send(session, request, itemIndex), proposalId).catch(
					() => undefined,
				);
	if (proposal === undefined) {
		const [numbered] = await proposalsWith(session, String(proposalId), false, itemIndex, PAGE);
		return numbered === undefined
			? undefined
			: `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	}
	for (const [name, idsOf] of others) {
		const ids = idsOf(proposal);
		const strange = [values[name]].flat().find((one) => !ids.includes(one as number));
		if (strange === undefined) continue;
		const label = operation.fields.find((field) => field.name === name)!.displayName;
		return `'${label}' does not belong to this proposal: ${String(strange)}. Choose it again.`;
	}
	return undefined;
}

const optionIds = (proposal: Proposal) => optionsOf(proposal).map(({ option }) => option.id);
const itemIds = (proposal: Proposal) => itemsOf(proposal).map(({ id }) => id);

/** The fields that hold records of a proposal, and where it has those. */
const PLACES: Record<string, (proposal: Proposal) => number[]> = {
	areaId: (proposal) => areasOf(proposal).map(({ id }) => id),
	areaOptionId: optionIds,
	areaOptionIds: optionIds,
	itemId: itemIds,
	itemIds,
};
