/** Reading back what the probe made, and finding records of the account to read. */
import type { Json } from '../contract.mts';
import type { Probe } from '../probe.mts';
import type { Fields } from '../ways.mts';

/** The first page of a list. */
export const PAGE = { PageNumber: 1, PageSize: 10 };

export const LATEST_FIRST = { SortBy: 'ModifiedDate', SortDirection: 'Desc' };

/** A list in a response: under its name, else the first one that is there. */
export function listIn(data: Json, name: string): Json[] {
	if (typeof data !== 'object' || data === null) return [];
	if (Array.isArray(data)) return data;
	return data[name] ?? Object.values(data).find(Array.isArray) ?? [];
}

/** Whether what is read is what was sent, apart from rounding, spaces and HTML around a text. */
export function isSame(sent: unknown, read: unknown): boolean {
	if (typeof sent === 'number') return Math.abs(sent - Number(read)) < 0.005;
	if (typeof sent === 'boolean') return sent === (read ?? false);
	const text = String(read ?? '').replace(/<[^>]*>/g, '');
	return String(sent).trim() === text.trim();
}

/** What responses call a field of a form. */
export const memberOf = (field: string) => field.replace(/^./, (first) => first.toLowerCase());

/** Whether a record shows what was sent. */
export const shows = (record: Json, sent: Fields): boolean =>
	Object.entries(sent).every(([field, value]) => isSame(value, record?.[memberOf(field)]));

/** @throws Unprepared when it cannot be read, so that nothing is tried that could not be seen */
export const readProposal = async (probe: Probe): Promise<Json> => await probe.read('proposal.get');

/** The options of a proposal, in order, with the ID of their area. */
export const optionsOf = (proposal: Json): Json[] =>
	listIn(proposal?.areas, '').flatMap((area) =>
		listIn(area.options, '').map((option) => ({ ...option, areaId: area.id })),
	);

/** The items of a proposal, in order, with the ID of their option. */
export const itemsOf = (proposal: Json): Json[] =>
	optionsOf(proposal).flatMap((option) =>
		listIn(option.items, '').map((item) => ({ ...item, optionId: option.id })),
	);

export const idsOf = (records: Json[]): number[] => records.map(({ id }) => id);

/** A proposal and a contact of the account, to read where the probe makes none of its own. */
export async function findRecords(probe: Probe): Promise<void> {
	const { own, found } = probe;
	const query = { ...PAGE, ...LATEST_FIRST };
	const [proposal] = listIn((await probe.send('proposal.getMany', query)).data, 'proposals');
	const [person] = listIn((await probe.send('contact.getMany', query)).data, 'people');
	if (person !== undefined) Object.assign(found, { PersonId: person.id, ContactId: person.id });
	if (own.ProposalId !== undefined || proposal === undefined) return;
	found.ProposalId = proposal.id;
	const [item] = itemsOf(await readProposal(probe));
	if (item !== undefined) found.ProposalItemId = item.id;
}
