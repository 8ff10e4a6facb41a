import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import type { Proposal } from '../../../client/model';
import { path } from '../../../client/http/path';
import { send } from '../../../client/http/request';
import { openSession } from '../../../client/http/session';
import { FieldError, idOf } from '../shared/values';

/** Narrows choices that the service gave all at once by what the user typed. */
export function matching(choices: INodeListSearchItems[], filter = ''): INodeListSearchResult {
	const sought = filter.trim().toLowerCase();
	return { results: choices.filter(({ name }) => name.toLowerCase().includes(sought)) };
}

/**
 * The ID in another field, on which a list depends.
 *
 * @throws NodeOperationError asking to choose it first
 */
export function chosen(context: ILoadOptionsFunctions, name: string, label: string): number {
	try {
		return idOf(context.getCurrentNodeParameter(name, { extractValue: true }), label);
	} catch (error) {
		const reason = error instanceof FieldError ? `Choose the '${label}' first` : String(error);
		throw new NodeOperationError(context.getNode(), reason);
	}
}

/** The proposal in the field *Proposal*, in full. */
export async function chosenProposal(context: ILoadOptionsFunctions): Promise<Proposal> {
	const id = chosen(context, 'proposalId', 'Proposal');
	return (await send(await openSession(context), {
		method: 'GET',
		path: path`/public/proposals/${id}`,
	})) as Proposal;
}

/** Joins what is there of the parts of a label. */
export const label = (separator: string, ...parts: unknown[]) =>
	parts.filter((part) => part !== undefined && part !== null && part !== '').join(separator);
