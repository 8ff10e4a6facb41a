/** Lists of what belongs to the chosen proposal. */
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toLabel } from '../../shared/labels';
import { path } from '../../../client/encoding';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { listContent } from '../resources/aiContent/listContent';
import { listOf } from '../shared/responseLists';
import { areaId as area, itemId as item } from '../shared/locators';
import { sendToEitherPath } from '../unconfirmed/alternatePaths';
import { chosen, chosenProposal, chosenProposalId, matching } from './choices';
import { itemsOf, optionsOf, supplierName } from './recordLabels';

/** The areas of the chosen proposal. */
export async function searchAreas(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { areas } = await chosenProposal(this);
	return matching(
		(areas ?? []).map(({ id, name }) => ({ name, value: id })),
		filter,
	);
}

/** The options of the chosen area. */
export async function searchOptionsOfArea(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const areaId = chosen(this, 'areaId', area);
	const { areas } = await chosenProposal(this);
	const ofArea = (areas ?? []).filter(({ id }) => id === areaId);
	return matching(optionsOf(ofArea), filter);
}

/** The options of all areas of the chosen proposal. */
export async function searchAreaOptions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { areas } = await chosenProposal(this);
	return matching(optionsOf(areas), filter);
}

/** The items of the chosen proposal. */
export async function searchItems(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { areas } = await chosenProposal(this);
	return matching(itemsOf(areas), filter);
}

/** The suppliers of the chosen item, with what it costs there. */
export async function searchSuppliers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const itemId = chosen(this, 'itemId', item);
	const session = await openSession(this);
	const proposalId = await chosenProposalId(this, session);
	const answer = await send(session, {
		method: 'GET',
		path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
	});
	const choices = listOf(answer, 'suppliers').map((supplier) => ({
		name: supplierName(supplier),
		value: Number(supplier.id),
	}));
	return matching(choices, filter);
}

/** The change orders of the chosen proposal. */
export async function searchChangeOrders(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const session = await openSession(this);
	const id = await chosenProposalId(this, session);
	const answer = await send(session, {
		method: 'GET',
		path: path`/public/proposals/${id}/changeorders`,
	});
	const choices = listOf(answer, 'changeOrders').map((one) => ({
		name: `#${one.number} ${one.name} (${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
	return matching(choices, filter);
}

/** The content that was uploaded to the chosen proposal. */
export async function searchContent(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const session = await openSession(this);
	const id = await chosenProposalId(this, session);
	const choices = listOf(await sendToEitherPath(session, listContent(id)), 'items').map((one) => ({
		name: `${one.name} (${toLabel(String(one.sourceType))}, ${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
	return matching(choices, filter);
}
