import type { IDataObject } from 'n8n-workflow';
import type { Contact } from '../../../client/contact';
import { isRecord } from '../../../client/responseShape';
import type { AreaItem, PlacedOption, ProposalSummary } from '../../../client/proposal';
import { personName, toLabel } from '../../shared/text';
import { truncateForMessage } from '../fields/parsers';

/** Joins the parts of a label that have a value. */
const label = (separator: string, ...parts: unknown[]) =>
	parts.filter((part) => part !== undefined && part !== null && part !== '').join(separator);

const appendEmail = (name: string, email: unknown) => (email ? `${name} (${String(email)})` : name);

export const contactName = (contact: Contact): string =>
	appendEmail(
		label(', ', contact.companyName, personName(contact)) || `Contact ${contact.id}`,
		contact.contactEmail,
	);

export const userName = (user: IDataObject): string =>
	appendEmail(personName(user) ?? `User ${String(user.id)}`, user.email);

export const proposalName = ({ number, name, status, customer }: ProposalSummary): string =>
	label(
		' – ',
		`#${number} ${name} (${toLabel(String(status))})`,
		customer?.companyName || personName(customer),
	);

export const subscriptionName = ({ description, events, url, enabled }: IDataObject): string =>
	label(' – ', description, [events].flat().join(', '), url, enabled === false ? 'disabled' : '');

export function locationName({ id, street, city, state, isPrimary }: IDataObject): string {
	const address = label(', ', street, city, state) || `Location ${String(id)}`;
	return `${address}${isPrimary ? ' (primary)' : ''}`;
}

export function optionChoice({ area, option, optionNumber }: PlacedOption) {
	const status = toLabel(String(option.status));
	const text = String(option.clientDescription ?? '').replace(/\s+/g, ' ');
	const name = label(
		' – ',
		area.name,
		`option ${optionNumber} (${status})`,
		truncateForMessage(text.trim()),
	);
	return { name, value: option.id };
}

export const itemChoices = ({ area, option, optionNumber }: PlacedOption) =>
	option.items.map((item) => ({
		name: `${label(', ', area.name, area.options.length > 1 ? `option ${optionNumber}` : '')}: ${itemName(item)}`,
		value: item.id,
	}));

function itemName({ id, brand, model, name, quantity, sellPrice, total }: AreaItem): string {
	const what = label(' ', brand, model) || name || `item ${id}`;
	return label(' – ', `${what} × ${quantity}`, formatMoney(sellPrice, total));
}

/** @param record object with the currency of the amount */
function formatMoney(amount: unknown, record: unknown): string {
	const { currency } = (record ?? {}) as { currency?: { symbol?: string } | null };
	return typeof amount === 'number' ? `${currency?.symbol ?? ''}${amount.toFixed(2)}` : '';
}

/** Returns a supplier's label. The cost can be a number, or an object with a currency. */
export function supplierName({ id, name, cost }: IDataObject): string {
	const amount = isRecord(cost) ? cost.value : cost;
	return label(' – ', name || `Supplier ${String(id)}`, formatMoney(amount, cost));
}

/**
 * Returns a catalog item's label. Omits the brand and model, or the name, if the description begins with the same text.
 */
export function catalogItemName(item: IDataObject): string {
	const { id, brand, model, name, shortDescription } = item;
	const title = label(' ', brand, model) || String(name ?? '');
	const text = String(shortDescription ?? '');
	const isRepeated = text.startsWith(title) && !/\w/.test(text.charAt(title.length));
	return (isRepeated ? text : label(' – ', title, text)) || `Item ${String(id)}`;
}
