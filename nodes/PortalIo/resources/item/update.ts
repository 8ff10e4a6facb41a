import { path } from '../../../../client/encoding';
import { proposalAfterChange, type ProposalItem } from '../../../../client/proposal';
import { assumedFields } from '../../operation/assumedFields';
import { added } from '../../fields/field';
import { clearableText, money, quantity, requiredFlag, updateFields } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { itemId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { sendUpdate } from '../../operation/steps';
import { checkResult, type Finding, type FoundItem } from './checkResult';
import { checkedOptions } from './itemOptions';
import { differs, isShown, QUANTITY_TOLERANCE } from './foundItems';
import { itemShape, itemsWithIds } from './proposalItems';

const fields = {
	clientNote: added(
		clearableText('Client Note', {
			typeOptions: { rows: 3 },
			description: 'The note that the client reads. Leave empty to clear it.',
		}),
	),
	isCombinedPrice: added(
		requiredFlag('Combined Price', {
			description: 'Whether the price of the item includes the items nested under it',
		}),
	),
	cost: added(
		money('Cost', {
			description: 'What the item costs you per unit. This changes the margin, not the price.',
		}),
	),
	imageUrl: added(
		clearableText('Image URL', {
			placeholder: 'e.g. https://example.com/display.jpg',
			description: 'The URL of the new image. Leave empty to remove it.',
		}),
	),
	msrp: added(money('MSRP', { description: "The manufacturer's suggested retail price per unit" })),
	quantity: added(
		quantity('Quantity', {
			description: 'Number of units or labor hours. A negative quantity takes items back.',
		}),
	),
	isRecurringService: added(
		requiredFlag('Recurring Service', {
			description: 'Whether the item is a recurring service, which is left out of the total',
		}),
	),
	sellPrice: added(money('Sell Price', { description: 'The price that the client pays per unit' })),
	shortDescription: added(
		clearableText('Short Description', { description: 'Leave empty to clear it' }),
	),
	isTaxExempt: added(
		requiredFlag('Tax Exempt', { description: 'Whether the item is exempt from sales tax' }),
	),
};

/** The last segment of the path that sets each field, in the order in which they are sent. */
const PARTS: Record<keyof typeof fields, string> = {
	quantity: 'qty',
	sellPrice: 'sellprice',
	cost: 'cost',
	msrp: 'msrp',
	isCombinedPrice: 'combineprice',
	isTaxExempt: 'taxexempt',
	isRecurringService: 'recurringservice',
	shortDescription: 'shortdescription',
	clientNote: 'note',
	imageUrl: 'image',
};

type Name = keyof typeof fields;

/** What an item has of a field. */
const valueOf = ({ total, ...item }: ProposalItem, name: Name): unknown =>
	name === 'isCombinedPrice'
		? (total as { isCombinedPrice?: boolean } | undefined)?.isCombinedPrice
		: item[name];

/** Whether an item has a field as it was sent. */
function isSet(item: FoundItem, name: Name, sent: unknown): boolean {
	const found = valueOf(item, name);
	// Portal.io may keep a copy of an image under another URL.
	if (name === 'imageUrl' && sent !== '' && found !== sent) return Boolean(found) && item.isChanged;
	return isShown(sent, found, name === 'quantity' ? QUANTITY_TOLERANCE : undefined);
}

/** What an item lacks of an update. */
function lookForValues(
	item: FoundItem,
	updateFields: Partial<Record<Name, unknown>>,
	pathOf: (part: string) => string,
): Finding {
	const names = (Object.keys(PARTS) as Name[]).filter((name) => updateFields[name] !== undefined);
	const missing = names.filter((name) => !isSet(item, name, updateFields[name]));
	const labelOf = (name: Name) => fields[name].property.displayName;
	const set = names.filter((name) => !missing.includes(name)).map((name) => `'${labelOf(name)}'`);
	return {
		missing: missing.map((name) => differs(labelOf(name), valueOf(item, name), updateFields[name])),
		done: set.length > 0 ? `Set: ${set.join(', ')}.` : 'Nothing was set.',
		...(missing[0] && { path: pathOf(PARTS[missing[0]]) }),
	};
}

const itemPath = ({ proposalId, itemId }: { proposalId: number; itemId: number }, part: string) =>
	path`/public/proposals/${proposalId}/items/${itemId}/${part}`;

/** docs/portal-api.md#items */
export const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of an item of a proposal. Fields that are not added keep their value.',
	fields: {
		proposalId,
		itemId,
		updateFields: updateFields(fields),
		simplify,
		options: checkedOptions,
	},
	execute: async (call) => {
		const { proposalId, itemId, updateFields } = call.values;
		return await sendUpdate(call, fields, PARTS, (part, value) => ({
			path: itemPath(call.values, part),
			form: assumedFields(value),
			...(part === PARTS.isCombinedPrice && {
				// Portal.io calls it a toggle: a second request could undo the first.
				isRepeatable: false,
				responseIfSet: async (latest) => {
					const proposal = await proposalAfterChange(call.send, proposalId, latest);
					const [item] = itemsWithIds(proposal, [itemId]) ?? [];
					const isAsWanted =
						item !== undefined &&
						isShown(updateFields.isCombinedPrice, valueOf(item, 'isCombinedPrice'));
					return isAsWanted ? proposal : undefined;
				},
			}),
		}));
	},
	check: async (call, response) => {
		const { itemId, updateFields } = call.values;
		return await checkResult(call, response, (found) => {
			const item = found.find(({ id }) => id === itemId);
			if (item === undefined) return { missing: [`item ${itemId} is not in the proposal`] };
			return lookForValues(item, updateFields, (part) => itemPath(call.values, part));
		});
	},
	output: { shape: itemShape, records: (response, { itemId }) => itemsWithIds(response, [itemId]) },
});
