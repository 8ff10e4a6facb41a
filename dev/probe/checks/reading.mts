/** Reading back what the probe made. */
import type { Answer, Fields, Json } from '../model.mts';
import type { Probe } from '../probe.mts';

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

/** Whether a record shows what was sent; fields of a form are in camelCase there. */
export const shows = (record: Json, sent: Fields): boolean =>
	Object.entries(sent).every(([name, value]) =>
		isSame(value, record?.[name.replace(/^./, (first) => first.toLowerCase())]),
	);

/** @throws Unprepared when it cannot be read, so that nothing is tried that could not be seen */
export const readProposal = async (probe: Probe): Promise<Json> => await probe.read('proposal.get');

/** The options of a proposal, in order, with the ID of their area. */
export const optionsOf = (proposal: Json): Json[] =>
	(proposal?.areas ?? []).flatMap((area: Json) =>
		(area.options ?? []).map((option: Json) => ({ ...option, areaId: area.id })),
	);

/** The items of a proposal, in order, with the ID of their option. */
export const itemsOf = (proposal: Json): Json[] =>
	optionsOf(proposal).flatMap((option) =>
		(option.items ?? []).map((item: Json) => ({ ...item, optionId: option.id })),
	);

const JUST_NOW_MS = 120_000;

/**
 * Whether a record is the one that a request has just made, whatever ID the response named: it shows
 * a name of this run, or it was made at the time of the response. Nothing else is ever changed.
 */
export function isJustMade({ headers }: Answer, record: Json, shown: string, sent: string) {
	if (shown === sent) return true;
	const age = Date.parse(String(headers.date)) - Date.parse(record?.createdDate);
	return Math.abs(age) < JUST_NOW_MS;
}

/** Keeps the status of a creation, which documents contradict each other about. */
export const keepStatus = (operation: string) => async (probe: Probe, answer: Answer) => {
	if (answer.isSuccess) probe.kept.creationStatus[operation] = answer.status;
};
