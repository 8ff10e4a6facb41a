/** Lists of what belongs to the chosen proposal. */
import { toLabel } from '../../shared/labels';
import { path } from '../../../client/encoding';
import { takeList } from '../../../client/data';
import { areasOf, optionsOf } from '../../../client/model';
import { send, sendToAnyPath } from '../../../client/request';
import { openSession } from '../../../client/session';
import { listContent } from '../resources/aiContent/getMany';
import { areaId as area, itemId as item } from '../fields/locators';
import { chosen, chosenProposal, chosenProposalId } from './choices';
import { wholeList } from './lists';
import { itemChoices, optionChoice, supplierName } from './recordLabels';

export const searchAreas = wholeList(async (context) => {
	const areas = areasOf(await chosenProposal(context));
	return areas.map(({ id, name }) => ({ name, value: id }));
});

/** The options of the chosen area. */
export const searchOptionsOfArea = wholeList(async (context) => {
	const session = await openSession(context);
	const proposal = await chosenProposal(context, session);
	const areaId = await chosen(context, session, 'areaId', area, { proposalId: proposal.id });
	const ofArea = optionsOf(proposal).filter((one) => one.area.id === areaId);
	return ofArea.map(optionChoice);
});

/** The options of all areas of the chosen proposal. */
export const searchAreaOptions = wholeList(async (context) =>
	optionsOf(await chosenProposal(context)).map(optionChoice),
);

export const searchItems = wholeList(async (context) =>
	optionsOf(await chosenProposal(context)).flatMap(itemChoices),
);

/** The suppliers of the chosen item, with what it costs there. */
export const searchSuppliers = wholeList(async (context) => {
	const session = await openSession(context);
	const proposalId = await chosenProposalId(context, session);
	const itemId = await chosen(context, session, 'itemId', item, { proposalId });
	const answer = await send(session, {
		method: 'GET',
		path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
	});
	return takeList(answer, 'suppliers').map((supplier) => ({
		name: supplierName(supplier),
		value: Number(supplier.id),
	}));
});

export const searchChangeOrders = wholeList(async (context) => {
	const session = await openSession(context);
	const id = await chosenProposalId(context, session);
	const answer = await send(session, {
		method: 'GET',
		path: path`/public/proposals/${id}/changeorders`,
	});
	return takeList(answer, 'changeOrders').map((one) => ({
		name: `#${one.number} ${one.name} (${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
});

/** The content that was uploaded to the chosen proposal. */
export const searchContent = wholeList(async (context) => {
	const session = await openSession(context);
	const id = await chosenProposalId(context, session);
	return takeList(await sendToAnyPath(session, listContent(id)), 'items').map((one) => ({
		name: `${one.name} (${toLabel(String(one.sourceType))}, ${toLabel(String(one.status))})`,
		value: Number(one.id),
	}));
});
