/** The last look at a report before anybody sees it: nothing of the account may stand in it. */
import type { Correction, EndpointReport, Report } from './model.mts';
import { isPublicWord } from './vocabulary.mts';
import { HIDDEN, plain, withoutTexts } from './words.mts';

/** What must not stand in a report. */
export interface Private {
	/** The keys: hidden in whatever form, also inside of words. */
	keys: Iterable<string>;
	/** The texts of the service's records. */
	texts: Iterable<string>;
}

/** A name as programs have them, or several with dots: no value looks like this by itself. */
const NAME = /^[A-Za-z_]\w*(\[\])?(\.[A-Za-z_]\w*(\[\])?)*$/;

/** The report with everything hidden that came out of the account. */
export function withoutAccount(report: Report, { keys, texts }: Private): Report {
	const seen = [...texts].filter(isTelling);
	const secrets = [...keys];
	const withoutKeys = (text: string) => hideKeys(text, secrets);
	const hide = (text: string) =>
		isPublicWord(text) ? text : withoutTexts(withoutKeys(plain(text)), seen);
	return {
		...report,
		...(report.endedEarly === undefined ? {} : { endedEarly: hide(report.endedEarly) }),
		endpoints: report.endpoints.map((one) => withoutIn(one, hide, withoutKeys)),
		facts: within(report.facts, hide) as Report['facts'],
		left: report.left.map(hide),
		changes: report.changes.map(hide),
	};
}

/** A text without any of the keys, in whatever form they stand in it. */
export const hideKeys = (text: string, keys: readonly string[]) =>
	keys.flatMap(formsOf).reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);

type Hide = (text: string) => string;

/** The names of a correction may be words that some record has, too: without them it is nothing. */
function withoutIn(report: EndpointReport, hide: Hide, withoutKeys: Hide): EndpointReport {
	const { correction, response, note } = report;
	const name = (text: string) => (NAME.test(text) ? withoutKeys(text) : hide(text));
	const safe = { ...report };
	if (note !== undefined) safe.note = hide(note);
	if (response !== undefined) safe.response = within(response, hide) as typeof response;
	if (correction !== undefined) safe.correction = within(correction, name) as Correction;
	return safe;
}

/** Every text in a value, names of members included. */
function within(value: unknown, hide: Hide): unknown {
	if (typeof value === 'string') return hide(value);
	if (Array.isArray(value)) return value.map((one) => within(one, hide));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [hide(key), within(one, hide)]),
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
