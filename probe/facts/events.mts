/** Which events there are, and how subscriptions take several. */
import { isSuccess } from '../attempt.mts';
import type { Answer, Lists } from '../model.mts';
import { readSubscriptions, removeSubscription } from '../walk/subscribing.mts';
import { isSame, type Json, type Walk } from '../walk/walk.mts';
import { spell } from '../way.mts';
import { DOCUMENTED, DOTTED, PASCAL_CASE } from './eventNames.mts';

const OPERATION = 'webhookSubscription.create';
const NO_EVENT = 'n8n_probe.no_such_event';
/** How many identifiers that stand in a refusal are tried, too. */
const MOST_NAMED = 20;

/** Subscribes to events under exactly these identifiers. */
async function subscribeTo(walk: Walk, events: string[], lists?: Lists): Promise<Answer> {
	const { path, correction } = walk.probe.endpoints.get(OPERATION)!;
	const { format = 'form', names = {} } = correction ?? {};
	const url = new URL(walk.subscriptionUrl);
	url.searchParams.set('n8n-probe', 'event');
	const fields = { Url: String(url), Events: events, Description: walk.name };
	const values = Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [names[name] ?? spell(name, format), value]),
	);
	const way = lists ?? correction?.lists;
	return await walk.probe.service.send({
		method: 'POST',
		path: correction?.path ?? path,
		body: { format, values, ...(way === undefined ? {} : { lists: way }) },
	});
}

/** Subscribes, looks at the answer, and removes the subscription again. */
async function tryEvents<T>(
	walk: Walk,
	events: string[],
	look: (data: Json) => T | Promise<T>,
	lists?: Lists,
): Promise<T | number> {
	const answer = await subscribeTo(walk, events, lists);
	const { subscriptionId } = (answer.data ?? {}) as Json;
	if (subscriptionId === undefined) return answer.status;
	try {
		return await look(answer.data);
	} finally {
		await removeSubscription(walk, subscriptionId);
	}
}

/** The words of a refusal. */
const wordsOf = ({ message, fieldErrors }: Answer): string =>
	[message, ...fieldErrors.map((one) => one.message)].join(' ');

/** Identifiers in words, such as `order.status_changed` or `OrderStatusChanged`. */
const namedIn = (words: string): string[] =>
	words.match(/\b[a-z_]+(?:\.[a-z_]+)+\b|\b(?:[A-Z][a-z]+){2,}\b/g) ?? [];

/** Each identifier: `accepted`, what it is returned as, or the status of the refusal. */
export async function webhookEvents(walk: Walk): Promise<unknown> {
	const { facts } = walk.probe;
	if (facts.webhookEvents !== undefined) return facts.webhookEvents;
	if (walk.event === undefined) return 'not known: no subscription could be made';
	const control = await subscribeTo(walk, [NO_EVENT]);
	const { subscriptionId, events } = (control.data ?? {}) as Json;
	if (subscriptionId !== undefined) {
		await removeSubscription(walk, subscriptionId);
		if (isSame(NO_EVENT, events)) return 'any identifier is accepted';
	}
	const found: Record<string, unknown> = {};
	const tryEach = async (identifiers: string[]) => {
		for (const event of identifiers.filter((one) => found[one] === undefined)) {
			found[event] = await tryEvents(walk, [event], (made) =>
				isSame(event, made.events) ? 'accepted' : `returned as ${made.events}`,
			);
		}
	};
	// A refusal may name all that exist.
	const named = namedIn(wordsOf(control)).filter((name) => name !== NO_EVENT);
	await tryEach([walk.event, ...DOCUMENTED, ...named.slice(0, MOST_NAMED)]);
	const likely = likelyEvents(found);
	Object.assign(found, await unknownAmong(walk, likely));
	await tryEach(likely);
	return found;
}

/** Candidates that are written as those which were accepted. */
function likelyEvents(found: Record<string, unknown>): string[] {
	const accepted = Object.keys(found).filter((event) => found[event] === 'accepted');
	const isDotted = accepted.some((event) => event.includes('.'));
	const isPascalCase = accepted.some((event) => !event.includes('.'));
	const likely = [...(isDotted ? DOTTED : []), ...(isPascalCase ? PASCAL_CASE : [])];
	return likely.filter((event) => found[event] === undefined);
}

/** Asks for all at once: if the refusal names more than one, it names all that do not exist. */
async function unknownAmong(walk: Walk, events: string[]): Promise<Record<string, unknown>> {
	const answer = await subscribeTo(walk, [...events, NO_EVENT]);
	const { subscriptionId } = (answer.data ?? {}) as Json;
	if (subscriptionId !== undefined) await removeSubscription(walk, subscriptionId);
	const named = new Set(namedIn(wordsOf(answer)));
	const unknown = events.filter((event) => named.has(event));
	return unknown.length < 2
		? {}
		: Object.fromEntries(unknown.map((event) => [event, answer.status]));
}

/** Those of the identifiers that a subscription was accepted with. */
export const acceptedEvents = ({ probe, event }: Walk): string[] => {
	const found = probe.facts.webhookEvents;
	if (typeof found !== 'object') return event === undefined ? [] : [event];
	return Object.entries(found as object)
		.filter(([, result]) => result === 'accepted')
		.map(([identifier]) => identifier);
};

/** How many of two events a subscription has, for each way to send them. */
export async function eventsFormat(walk: Walk): Promise<unknown> {
	const events = acceptedEvents(walk).slice(0, 2);
	if (events.length < 2) return 'not known: there are no two events';
	const found: Record<string, unknown> = {};
	for (const lists of ['repeated', 'commas', 'brackets'] as const) {
		const count = await tryEvents(
			walk,
			events,
			(data) => events.filter((event) => data.events?.includes(event)).length,
			lists,
		);
		// A status is larger than any count.
		found[lists] = count === 2 ? 'both' : count === 1 ? 'one' : count;
	}
	return found;
}

/** Whether the list of subscriptions has their secrets. */
export async function secretKeyInList(walk: Walk): Promise<unknown> {
	if (walk.event === undefined) return 'not known: no subscription could be made';
	return await tryEvents(walk, [walk.event], async () => {
		const list = await readSubscriptions(walk);
		return list.some((one) => 'secretKey' in one);
	});
}

/** Which content type a DELETE without a body is to be signed with. */
export async function deleteWithoutBody(walk: Walk): Promise<unknown> {
	const { probe, event } = walk;
	const report = probe.endpoints.get('webhookSubscription.delete')!;
	if (report.verdict === 'confirmed' || report.correction !== undefined) return 'none';
	if (event === undefined) return 'not known: no subscription could be made';
	const { data } = await subscribeTo(walk, [event]);
	const path = report.path.replace(/\{\w+\}/, String((data as Json)?.subscriptionId));
	for (const format of [undefined, 'form', 'json'] as const) {
		const body = format && { format, values: {} };
		const answer = await probe.service.send({ method: 'DELETE', path, body });
		if (!isSuccess(answer)) continue;
		if (format === undefined) return 'none';
		walk.deleteFormat = format;
		return format === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
	}
	return 'not known: none, that of a form and that of JSON are refused';
}
