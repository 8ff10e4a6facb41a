/** What may be shown of names, paths and values that a service gives. */
import { isEnglish } from './english.mts';
import { isIdentifier, UNNAMED } from './identifiers.mts';
import { isPublicWord } from './vocabulary.mts';
import { HIDDEN, plain, publicWords, valueTest } from './words.mts';

type Show = (text: string) => string;

/** A route with its method, or without; and where a redirect leads. */
const ROUTE = /^((?:[A-Z]+ )?)(\/\S*)( of another host)?$/;

/** What no path of fields has: an email, a link. */
const STRANGE = /[^\p{L}\p{N}_\s.[\]()…-]/u;

/** What shows the names, the fields with their differences, and the routes of one service. */
export interface Showing {
	/** Names with dots, brackets or hyphens between them: `areas[].options[].id`. */
	name: Show;
	/** A field, alone or with what is different about it: `areas[].id: string, not number`. */
	difference: Show;
	/** Whatever stands in a fact. */
	fact: Show;
	/** A path of which only words that are public are shown. */
	location: Show;
}

/** @param texts of the service's records: no name that has one in it is shown */
export function showing(texts: Iterable<string>): Showing {
	const seen = [...texts].map(plain).filter((one) => one.length > 2);
	const isValue = valueTest(seen);
	const isText = new Set(seen);
	const isShown = (part: string) =>
		part === '' || part === UNNAMED || isPublicWord(part) || (isIdentifier(part) && !isValue(part));
	const name = (text: string) =>
		isPublicWord(text) || text === 'the response' || text === 'the whole'
			? text
			: isText.has(text) || STRANGE.test(text)
				? HIDDEN
				: text.replace(/[^.[\]]+/g, (part) => (part.split('-').every(isShown) ? part : HIDDEN));
	const words = (text: string) => publicWords(text, seen);
	const difference = (text: string) => {
		const [field = '', ...rest] = text.split(': ');
		return [name(field), ...(rest.length === 0 ? [] : [words(rest.join(': '))])].join(': ');
	};
	const inRoute = (text: string, isPart: (part: string) => boolean) =>
		text.replace(ROUTE, (_, method: string, path: string, host = '') => {
			const parts = path.replace(/[^/]+/g, (part) => {
				const inner = part.replace(/^\{(.*?)\*?\}$/, '$1').split(/[-.]/);
				return inner.every(isPart) ? part : HIDDEN;
			});
			return method + parts + host;
		});
	const isWord = (part: string) => isPublicWord(part) || isEnglish(part);
	const fact = (text: string) => {
		if (isPublicWord(text)) return text;
		if (ROUTE.test(text)) return inRoute(text, isShown);
		if (/^[^\s:]+(: .*)?$/.test(text)) return difference(text);
		// A sentence of the probe comes through as it is; another text says nothing in pieces.
		if (text === UNNAMED) return text;
		const shown = words(text);
		return shown === text || text.startsWith('returned as ') ? shown : HIDDEN;
	};
	return {
		name,
		difference,
		fact,
		location: (text) => (ROUTE.test(text) ? inRoute(text, isWord) : words(text)),
	};
}
