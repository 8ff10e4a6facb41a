/** Lists of what belongs to the chosen proposal. */
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Area, AreaOption } from '../../../client/model';
import { labelOf } from '../../shared/labels';
import { path } from '../../../client/http/path';
import { send } from '../../../client/http/request';
import { openSession } from '../../../client/http/session';
import { listOf } from '../shared/answers';
import { chosen, chosenProposal, label, matching } from './choices';

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
	const areaId = chosen(this, 'areaId', 'Area');
	const { areas } = await chosenProposal(this);
	const area = (areas ?? []).filter(({ id }) => id === areaId);
	return matching(area.flatMap(optionsOf), filter);
}

/** The options of all areas of the chosen proposal. */
export async function searchAreaOptions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { areas } = await chosenProposal(this);
	return matching((areas ?? []).flatMap(optionsOf), filter);
}

const optionsOf = ({ name, options }: Area) =>
	options.map(({ id, status, clientDescription }: AreaOption, index) => ({
		name: label(' – ', name, `option ${index + 1} (${labelOf(status)})`, clientDescription),
		value: id,
	}));

/** The items of the chosen proposal: area, brand, model and quantity. */
export async function searchItems(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { areas } = await chosenProposal(this);
	const choices = (areas ?? []).flatMap((area) =>
		area.options.flatMap((option) =>
			(option.items ?? []).map(({ id, brand, model, name, quantity }) => ({
				name: `${area.name}: ${label(' ', brand, model) || name || `item ${id}`} × ${quantity}`,
				value: id,
			})),
		),
	);
	return matching(choices, filter);
}

/** The suppliers of the chosen item, with what it costs there. */
export async function searchSuppliers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const proposalId = chosen(this, 'proposalId', 'Proposal');
	const itemId = chosen(this, 'itemId', 'Item');
	const answer = await send(await openSession(this), {
		method: 'GET',
		path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
	});
	const choices = listOf(answer, 'suppliers').map(({ id, name, cost }) => {
		const amount = typeof cost === 'object' ? (cost as { value?: unknown } | null)?.value : cost;
		return { name: label(' – ', name, amount), value: Number(id) };
	});
	return matching(choices, filter);
}

/** The change orders of the chosen proposal. */
export async function searchChangeOrders(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const id = chosen(this, 'proposalId', 'Proposal');
	const answer = await send(await openSession(this), {
		method: 'GET',
		path: path`/public/proposals/${id}/changeorders`,
	});
	const choices = listOf(answer, 'changeOrders').map((one) => ({
		name: `${one.number} ${one.name} (${labelOf(String(one.status))})`,
		value: Number(one.id),
	}));
	return matching(choices, filter);
}

/** The content that was uploaded to the chosen proposal. */
export async function searchContent(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const id = chosen(this, 'proposalId', 'Proposal');
	const answer = await send(await openSession(this), {
		method: 'GET',
		path: '/public/ai/content',
		query: { ProposalId: id },
		alternate: { path: path`/public/api/proposals/${id}/ai/content` },
	});
	const choices = listOf(answer, 'items').map((one) => ({
		name: `${one.name} (${one.sourceType}, ${labelOf(String(one.status))})`,
		value: Number(one.id),
	}));
	return matching(choices, filter);
}
