/** What the steps of the walk share: what was made or found until then, and how it is read. */
import type { Json } from '../../simulator/json.mts';
import type { Cleanup } from '../cleanup.mts';
import { isSuccess } from '../attempt.mts';
import type { Answer, Format } from '../model.mts';
import { Unprepared, type Probe } from '../probe.mts';

export type { Json };

/** A part of the catalog, or of the account's own library. */
export interface Source {
	id: number;
	itemType: 'Part' | 'Labor' | 'CustomItem';
}

/** The walk through the operations of the service. */
export interface Walk {
	probe: Probe;
	cleanup: Cleanup;
	readOnly: boolean;
	ai: boolean;
	/** In the name of everything that is made: `n8n probe 2026-11-22 16:30:12`. */
	name: string;
	/** The user that the keys belong to. */
	username: string;
	/** Where the subscriptions of the walk lead. */
	subscriptionUrl: string;
	/** How long to wait before asking again whether something is done, in milliseconds. */
	pauseMs: number;
	/** How long AI work may take, in milliseconds. */
	aiLimitMs: number;
	/** The status of the response to each creation, by operation. */
	creationStatus: Record<string, number>;
	/** The IDs of what was made; of subscriptions those that are not removed yet. */
	made: { proposals: number[]; contacts: number[]; subscriptions: Set<number> };
	userId?: number;
	contactId?: number;
	locationId?: number;
	/** The proposal of the probe; an existing one of the account when only reads are possible. */
	proposalId?: number;
	/** Whether `proposalId` was made by the probe, and may be changed. */
	isOwnProposal: boolean;
	/** The IDs of areas and options that were made. */
	areaId?: number;
	optionIds: number[];
	parts: Source[];
	labor?: Source;
	customItem?: Source;
	/** What the service wants a DELETE without a body to say that its body is. */
	deleteFormat?: Format;
	/** The steps in which a response could not be read. */
	unreadable: string[];
	/** An identifier of an event that a subscription was accepted with. */
	event?: string;
}

/** A list in a response: under its name, else the first one that is there. */
export function listIn(answer: Answer | undefined, name: string): Json[] {
	const data = answer?.data as Json;
	if (typeof data !== 'object' || data === null) return [];
	if (Array.isArray(data)) return data;
	return data[name] ?? Object.values(data).find(Array.isArray) ?? [];
}

/** Whether what is read is what was sent, apart from rounding, spaces and the HTML around a text. */
export function isSame(sent: unknown, read: unknown): boolean {
	if (typeof sent === 'number') return Math.abs(sent - Number(read)) < 0.005;
	if (typeof sent === 'boolean') return sent === (read ?? false);
	const text = String(read ?? '').replace(/<[^>]*>/g, '');
	return String(sent).trim() === text.trim();
}

/** Fields of a form as a response names them. */
export const camelCase = (name: string) => name.replace(/^./, (first) => first.toLowerCase());

/**
 * The proposal of the walk as it is now.
 *
 * @throws Unprepared when it cannot be read, so that nothing is tried that could not be seen
 */
export async function readProposal({ probe, proposalId }: Walk): Promise<Json> {
	const read = async () => await probe.call('proposal.get', { ProposalId: proposalId! });
	let answer = await read();
	if (answer.status >= 500) answer = await read();
	return bodyOf(answer, 'The proposal could not be read.');
}

/** @throws Unprepared when a response has no body to read */
export function bodyOf(answer: Answer, why: string): Json {
	if (!isSuccess(answer)) throw new Unprepared(why);
	return answer.data;
}

/** What is read back of something that was made; what its creation returned when it cannot be read. */
export const readBack = (read: Answer, made: Answer): Json =>
	isSuccess(read) ? read.data : made.data;

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

/** Adds to what the report says of an endpoint. */
export function addNote({ probe }: Walk, operation: string, text: string): void {
	const report = probe.endpoints.get(operation)!;
	report.note = report.note === undefined ? text : `${report.note} ${text}`;
}

/** Notes the status of a creation, and returns its response. */
export function keepStatus(walk: Walk, operation: string, answer: Answer | undefined): Json {
	if (answer !== undefined) walk.creationStatus[operation] = answer.status;
	return answer?.data;
}
