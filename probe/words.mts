/** What may be shown of what a service says: its words, without any value of the account. */
import { isOwnText, isPublicWord } from './vocabulary.mts';

/** Stands in for what is not shown. */
export const HIDDEN = '…';

const LONGEST = 240;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*/gu;
const ADDRESS = /\b(?:[a-z][a-z+.-]*:\/\/|www\.)[^\s'"<>)\]]+/gi;
/** Not an apostrophe: a quote opens where no word does, and closes where none goes on. */
const QUOTED = [
	/(?<![\p{L}\p{N}])'(.*?)'(?![\p{L}\p{N}])/gu,
	/"(.*?)"/g,
	/`(.*?)`/g,
	/[“„](.*?)[”“]/g,
	/‘(.*?)’(?![\p{L}\p{N}])/gu,
];
/** Keys, hashes, UUIDs: long, with digits among the letters. */
const TOKEN = /(?=[\w+/=-]*\d)[\w+/=-]{16,}/g;
const NUMBER = /\d[\d.,:/\s-]*\d|\d/g;

/** A text on one line, without what a terminal or a page would obey. */
export const plain = (text: string) =>
	text
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.replace(/\p{Cf}/gu, '')
		.trim();

/**
 * What a service says, without emails, addresses, numbers of three or more digits, keys, quoted
 * values, and every text that its records hold. Names of fields stay.
 *
 * @param seen the texts of its records
 * @param names of fields that the contract does not have, such as those that an error names
 */
export function publicWords(
	text: string,
	seen: Iterable<string>,
	names: Iterable<string> = [],
): string {
	if (/<\/?[a-z!][^>]*>/i.test(text)) return 'an HTML page';
	const known = new Set([...names].map((name) => name.toLowerCase()));
	const isName = (part: string) => isPublicWord(part) || known.has(part.toLowerCase());
	const isPath = (value: string) =>
		value
			.replace(/\[\d*\]/g, '')
			.split('.')
			.every(isName);
	let words = withoutTexts(plain(text).slice(0, 2000), seen, isName)
		.replace(EMAIL, HIDDEN)
		.replace(ADDRESS, HIDDEN);
	for (const quoted of QUOTED) {
		words = words.replace(quoted, (all: string, value: string) => (isPath(value) ? all : HIDDEN));
	}
	words = words
		.replace(TOKEN, HIDDEN)
		.replace(NUMBER, (all) => (all.replace(/\D/g, '').length < 3 ? all : HIDDEN))
		.replace(/…(?:[\s\p{P}]*…)+/gu, HIDDEN);
	return words.length > LONGEST ? `${words.slice(0, LONGEST)}${HIDDEN}` : words;
}

/**
 * A text in which other texts are hidden, wherever they stand as words. Words of the contract, and
 * what the probe wrote itself, stay.
 */
export function withoutTexts(
	text: string,
	seen: Iterable<string>,
	isAllowed: (word: string) => boolean = isPublicWord,
): string {
	const hits = [...seen]
		.map((one) => plain(one))
		.filter((one) => one.length > 2 && text.includes(one))
		.filter((one) => !isAllowed(one) && !isOwnText(one))
		.sort((one, other) => other.length - one.length);
	return hits.reduce((rest, hit) => rest.replace(asWord(hit), HIDDEN), text);
}

/** Not inside of another word: `ann` is not in `cannot`. */
function asWord(text: string): RegExp {
	const begin = /^[\p{L}\p{N}]/u.test(text) ? '(?<![\\p{L}\\p{N}])' : '';
	const end = /[\p{L}\p{N}]$/u.test(text) ? '(?![\\p{L}\\p{N}])' : '';
	return new RegExp(begin + text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') + end, 'gu');
}
