/** What may be shown of what a service says: words that say nothing of the account. */
import { isEnglish } from './english.mts';
import { isIdentifier } from './identifiers.mts';
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
const NUMBER = /(?<![\p{L}\p{N}_])(?:\d[\d.,:/\s-]*\d|\d)/gu;

/** What terminals take as colors and movements, with its parameters. */
// eslint-disable-next-line no-control-regex -- that is what is looked for
const ESCAPES = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;

/** A text on one line, without what a terminal or a page would obey. */
export const plain = (text: string) =>
	text
		.replace(ESCAPES, '')
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.replace(/\p{Cf}/gu, '')
		.trim();

/** A word, with an apostrophe inside of it or not, and a place in a list: `Items[0]` has one. */
const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’]\p{L}+)?/gu;
/** After these, a small number is a limit and not a value. */
const LIMIT =
	/(?:\b(?:than|between|least|most|exceed|maximum|minimum|equal|above|below|between \d+ and) |[[])$/i;
/** Before a word that begins a sentence. */
const BEGINNING = /(?:^|[.:!?;…]\s)[\s'"“‘([]*$/u;
/** No markup, no mention of somebody, no picture: what sentences have. */
const STRANGE = /[^\p{L}\p{M}\p{N}\s.,:;?'"“”„‘’`()[\]…%$=<>/+_-]/gu;

/**
 * What a service says, in words that anybody may read: those of the contract, names that look like
 * those of fields, and ordinary words of errors. Anything else is hidden, whether a record had it
 * or not.
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
	const texts = [...seen];
	const isName = nameTest(names, texts);
	const isPath = (value: string) =>
		value
			.replace(/\[\d*\]/g, '')
			.split('.')
			.every((part) => isName(part) || isSpelledOut(part, isName));
	let words = withoutTexts(plain(text).slice(0, 2000), texts, isName)
		.replace(EMAIL, HIDDEN)
		.replace(ADDRESS, HIDDEN);
	for (const quoted of QUOTED) {
		words = words.replace(quoted, (all: string, value: string) => (isPath(value) ? all : HIDDEN));
	}
	words = words
		.replace(TOKEN, HIDDEN)
		.replace(NUMBER, (all) => (all.replace(/\D/g, '').length < 3 ? all : HIDDEN))
		.replace(STRANGE, HIDDEN)
		.replace(WORD, (word: string, at: number, all: string) =>
			isShown(word, all.slice(0, at), isName) ? word : HIDDEN,
		)
		.replace(/…(?:[\s\p{P}\p{S}]*…)+/gu, HIDDEN);
	return words.length > LONGEST ? `${words.slice(0, LONGEST)}${HIDDEN}` : words;
}

function isShown(word: string, before: string, isName: (word: string) => boolean): boolean {
	if (/^\d+$/.test(word)) return word.length < 3 && LIMIT.test(before);
	const plural = word.replace(/['’]s$/, '');
	return [word, plural].some((one) => isName(one) || isEnglish(one, BEGINNING.test(before)));
}

/** `Area Option Id`, as validations write `AreaOptionId`. */
const isSpelledOut = (part: string, isName: (word: string) => boolean) =>
	/^[A-Za-z]+(?: [A-Za-z]+)+$/.test(part) && isName(part.replaceAll(' ', ''));

/** Tells the names of the contract, and those given that look like names of fields. */
function nameTest(names: Iterable<string>, seen: readonly string[]): (word: string) => boolean {
	const given = [...names].flatMap((name) => name.split(/[[\].]+/)).filter((name) => name !== '');
	const isValue = valueTest(seen);
	const known = new Set(
		given.filter((name) => isIdentifier(name) && !isValue(name)).map((name) => name.toLowerCase()),
	);
	return (word) => isPublicWord(word) || known.has(word.toLowerCase());
}

/** Only letters and digits, in lower case. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Tells names that have a text of the account in them, however it is written: `janeRoe_id`. */
export function valueTest(seen: Iterable<string>): (name: string) => boolean {
	const texts = new Set([...seen].filter((one) => !isPublicWord(one)).map(bare));
	const long = [...texts].filter((one) => one.length > 5 && !isEnglish(one));
	return (name) => {
		const own = bare(name);
		return !isPublicWord(name) && (texts.has(own) || long.some((one) => own.includes(one)));
	};
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
