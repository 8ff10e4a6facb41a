/** Labels by which people recognize records in lists. */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type {
	AreaItem,
	Contact,
	PlacedOption,
	ProposalSummary,
	Subscription,
} from '../../../client/model';
import { clientName, personName } from '../../shared/contact';
import { toLabel } from '../../shared/labels';

/** Joins the present parts of a label. */
export const label = (separator: string, ...parts: unknown[]) =>
	parts.filter((part) => part !== undefined && part !== null && part !== '').join(separator);

export type Choice = INodePropertyOptions & { value: number };

const MAX_TEXT = 60;

function shortened(text: unknown): string {
	const line = String(text ?? '')
		.replace(/\s+/g, ' ')
		.trim();
	return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** Company, person and email of a contact. */
export function contactName(contact: Contact): string {
	const { id, companyName, contactEmail } = contact;
	const name = label(', ', companyName, personName(contact)) || `Contact ${id}`;
	return contactEmail ? `${name} (${contactEmail})` : name;
}

/** Name and email of a user. */
export function userName(user: IDataObject): string {
	const { id, email } = user;
	const name = personName(user) ?? `User ${String(id)}`;
	return email ? `${name} (${String(email)})` : name;
}

/** Number, name, status and client of a proposal. */
export function proposalName({ number, name, status, customer }: ProposalSummary): string {
	return label(' – ', `#${number} ${name} (${toLabel(String(status))})`, clientName(customer));
}

/** Description, events and URL of a webhook subscription, and whether it is disabled. */
export const subscriptionName = ({ description, events, url, enabled }: Subscription) =>
	label(' – ', description, [events].flat().join(', '), url, enabled ? '' : 'disabled');

/** The address of a location. */
export function locationName({ id, street, city, state, isPrimary }: IDataObject): string {
	const place = label(', ', street, city, state) || `Location ${String(id)}`;
	return `${place}${isPrimary ? ' (primary)' : ''}`;
}

/** Area, number, status and client description of an area option. */
export const optionChoice = ({ area, option, place }: PlacedOption): Choice => ({
	name: label(
		' – ',
		area.name,
		`option ${place} (${toLabel(String(option.status))})`,
		shortened(option.clientDescription),
	),
	value: option.id,
});

/** Area, brand, model, quantity and price of each item of an area option. */
export const itemChoices = ({ area, option, place }: PlacedOption): Choice[] =>
	option.items.map((item) => ({
		name: `${label(', ', area.name, area.options.length > 1 ? `option ${place}` : '')}: ${itemName(item)}`,
		value: item.id,
	}));

function itemName({ id, brand, model, name, quantity, sellPrice, total }: AreaItem): string {
	const what = label(' ', brand, model) || name || `item ${id}`;
	const { currency } = (total ?? {}) as { currency?: Currency };
	return label(' – ', `${what} × ${quantity}`, money(sellPrice, currency));
}

interface Currency {
	symbol?: string;
}

const money = (amount: unknown, currency?: Currency | null) =>
	typeof amount === 'number' ? `${currency?.symbol ?? ''}${amount.toFixed(2)}` : '';

/** A supplier of an item, and its cost there. */
export function supplierName({ id, name, cost }: IDataObject): string {
	const { value, currency } = (typeof cost === 'object' ? (cost ?? {}) : { value: cost }) as {
		value?: unknown;
		currency?: Currency | null;
	};
	return label(' – ', name || `Supplier ${String(id)}`, money(value, currency));
}

/** Leaves out a name with which the description begins, as that of labor may. */
export function catalogItemName(item: IDataObject): string {
	const { id, brand, model, name, shortDescription } = item;
	const title = label(' ', brand, model) || String(name ?? '');
	const text = String(shortDescription ?? '');
	const isRepeated = text.startsWith(title) && !/\w/.test(text.charAt(title.length));
	return (isRepeated ? text : label(' – ', title, text)) || `Item ${String(id)}`;
}
