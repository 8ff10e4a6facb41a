/** The last look at a report before anybody sees it: nothing of the account may stand in it. */
import type { Correction, EndpointReport, Report } from './model.mts';
import { showing } from './showing.mts';
import { isPublicWord } from './vocabulary.mts';
import { HIDDEN, plain, withoutTexts } from './words.mts';

/** What must not stand in a report. */
export interface Private {
	/** The keys: hidden in whatever form, also inside of words. */
	keys: Iterable<string>;
	/** The texts of the service's records. */
	texts: Iterable<string>;
}

/** Facts whose names and values are all the probe's own. */
const OWN_FACTS = [
	...['catalogLists', 'clockTolerance', 'creationStatus', 'eventsFormat', 'filters'],
	...['largestPage', 'sortValues', 'unauthorizedHeaders'],
];

/** The report with everything hidden that came out of the account. */
export function withoutAccount(report: Report, { keys, texts }: Private): Report {
	const all = [...texts];
	const seen = all.filter(isTelling);
	const secrets = [...keys];
	const withoutKeys = (text: string) => hideKeys(text, secrets);
	const hide = (text: string) =>
		isPublicWord(text) ? text : withoutTexts(withoutKeys(plain(text)), seen);
	const show = showing(all);
	const safely = (one: Hide) => (text: string) => one(withoutKeys(plain(text)));
	return {
		...report,
		...(report.endedEarly === undefined ? {} : { endedEarly: hide(report.endedEarly) }),
		endpoints: report.endpoints.map((one) => withoutIn(one, hide, safely(show.difference), safely)),
		facts: factsOf(report.facts, hide, (key) =>
			safely(key === 'location' ? show.location : show.fact),
		),
		left: report.left.map(hide),
		changes: report.changes.map(hide),
	};
}

/** A text without any of the keys, in whatever form they stand in it. */
export const hideKeys = (text: string, keys: readonly string[]) =>
	keys.flatMap(formsOf).reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);

type Hide = (text: string) => string;

function withoutIn(
	report: EndpointReport,
	hide: Hide,
	difference: Hide,
	safely: (one: Hide) => Hide,
): EndpointReport {
	const { correction, response, note } = report;
	// Its names may be words that some record has, too: without them it is nothing.
	const { fact } = showing([]);
	const safe = { ...report };
	if (note !== undefined) safe.note = hide(note);
	if (response !== undefined) safe.response = within(response, difference) as typeof response;
	if (correction !== undefined) safe.correction = within(correction, safely(fact)) as Correction;
	return safe;
}

/** Of the facts, a text alone is a sentence of the probe; in lists and members are the service's. */
function factsOf(
	facts: Report['facts'],
	hide: Hide,
	shownAt: (key: string) => Hide,
): Report['facts'] {
	return Object.fromEntries(
		Object.entries(facts).map(([name, value]) => {
			const isOwn = typeof value === 'string' || OWN_FACTS.includes(name);
			return [name, isOwn ? within(value, hide) : within(value, shownAt(''), shownAt)];
		}),
	);
}

/** Every text in a value, names of members included; `at` has what is special to a member. */
function within(value: unknown, hide: Hide, at: (key: string) => Hide = () => hide): unknown {
	if (typeof value === 'string') return hide(value);
	if (Array.isArray(value)) return value.map((one) => within(one, hide, at));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [hide(key), within(one, at(key), at)]),
	);
}

/** A word in lower case says nothing of anybody, and the report's own sentences have many. */
const isTelling = (text: string) => !/^\p{Ll}*$/u.test(text);

/** A key as it is, and as URLs, JSON and headers encode it. */
function formsOf(key: string): string[] {
	if (key === '') return [];
	const inQuery = new URLSearchParams({ '': key }).toString().slice(1);
	const inJson = JSON.stringify(key).slice(1, -1);
	const inBase64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
	return [...new Set([key, inQuery, encodeURIComponent(key), inJson, inBase64])];
}
