/** Proposals by their number, which is what people know: Portal.io works with their IDs. */
import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { readPages } from '../../client/pagination';
import type { Session } from '../../client/session';
import { errorForItem } from './errorForItem';
import { isByNumber } from './shared/locators';
import { FieldError, readId, isEmpty, shown } from './shared/values';

const LABEL = 'Proposal';
/** How many numbers are looked up at a time. */
const LOOKUPS_AT_A_TIME = 5;

/** Puts the ID in the place of the number that an input gives for its proposal. */
export type FindProposal = (given: unknown, itemIndex: number) => unknown;

/**
 * Looks up the proposals that inputs give by number, each number once.
 *
 * @returns a function that throws, for the inputs with a number that has no proposal, why it has none
 */
export async function resolveProposalNumbers(
	context: IExecuteFunctions,
	session: Session | Error,
): Promise<FindProposal> {
	const firstInputs = session instanceof Error ? new Map() : inputsByNumber(context);
	const found = new Map<unknown, number | Error>();
	await mapConcurrent([...firstInputs], LOOKUPS_AT_A_TIME, async ([number, itemIndex]) => {
		const id = resolveProposalNumber(session as Session, number, itemIndex);
		found.set(number, await id.catch((error: Error) => error));
	});
	return (given, itemIndex) => {
		if (!isByNumber(given)) return given;
		const id = found.get(given.value);
		// What is wrong with the number itself becomes an error of the input, as every field's does.
		if (id instanceof NodeApiError) throw errorForItem(context, itemIndex, id);
		if (id instanceof Error) throw id;
		return id ?? given;
	};
}

/** The numbers that inputs give, each with the first input that does. */
function inputsByNumber(context: IExecuteFunctions): Map<unknown, number> {
	const inputs = new Map<unknown, number>();
	const { proposalId: raw } = context.getNode().parameters;
	const mayBeNumber = isByNumber(raw) || (typeof raw === 'string' && raw.startsWith('='));
	if (!mayBeNumber) return inputs;
	for (const itemIndex of context.getInputData().keys()) {
		const given = parameterOf(context, itemIndex);
		if (isByNumber(given) && !inputs.has(given.value)) {
			inputs.set(given.value, itemIndex);
		}
	}
	return inputs;
}

/** The proposal of an input; undefined where its expression fails, which the input itself reports. */
function parameterOf(context: IExecuteFunctions, itemIndex: number): unknown {
	try {
		return context.getNodeParameter('proposalId', itemIndex, undefined);
	} catch {
		return undefined;
	}
}

/**
 * The ID of the proposal with a number.
 *
 * @throws FieldError when no proposal has it, or several do
 */
export async function resolveProposalNumber(
	session: Session,
	given: unknown,
	itemIndex?: number,
): Promise<number> {
	const number = readNumber(given);
	const current = await proposalsWith(session, number, false, itemIndex);
	const found =
		current.length > 0 ? current : await proposalsWith(session, number, true, itemIndex);
	const [proposal] = found;
	if (proposal === undefined) {
		throw new FieldError(
			LABEL,
			`was not found: no proposal has the number ${number}. Check the number, or choose the proposal from the list.`,
		);
	}
	if (found.length === 1) return readId(proposal.id, LABEL);
	throw new FieldError(
		LABEL,
		`matches ${found.length} proposals with the number ${number}. Choose one from the list, or enter its ID.`,
	);
}

/** The number as people write it: `1042`, also `#1042`. */
function readNumber(given: unknown): number {
	if (isEmpty(given)) return readId(given ?? null, LABEL);
	const number = Number(/^\s*#?(\d+)\s*$/.exec(String(given))?.[1]);
	if (Number.isSafeInteger(number) && number > 0) return number;
	throw new FieldError(
		LABEL,
		`must be the number of a proposal, such as 1042; it is '${shown(given)}'`,
	);
}

/** The proposals with exactly this number: those at work, or the archived ones, which are a list of their own. */
async function proposalsWith(
	session: Session,
	number: number,
	isArchive: boolean,
	itemIndex?: number,
): Promise<IDataObject[]> {
	const query = { SearchText: String(number), ...(isArchive ? { IsArchive: true } : {}) };
	const list = {
		request: { method: 'GET', path: '/public/proposals', query } as const,
		records: 'proposals',
		count: 'proposalCount',
		stableSort: 'Number',
	};
	const found = await readPages<IDataObject>(session, list, Infinity, itemIndex);
	return found.filter((proposal) => Number(proposal.number) === number);
}
