/** The words that anybody may read: those of the contract, and those that the probe itself sends. */
import { document } from './contract.mts';
import { isEnglish } from './english.mts';

type Json = Record<string, unknown>;

/** The words of the contract, in lower case: its names, its values of enumerations, its paths. */
const words = new Set(['form', 'json', 'multipart', 'none', 'n8n', 'portal.io']);

const add = (word: unknown) => {
	if (typeof word === 'string') words.add(word.toLowerCase());
};

function collect(part: unknown): void {
	if (typeof part !== 'object' || part === null) return;
	if (Array.isArray(part)) return part.forEach(collect);
	const { name, properties, enum: values, const: value, operationId } = part as Json;
	for (const word of [name, value, operationId, ...((values as unknown[]) ?? [])]) add(word);
	Object.keys(properties ?? {}).forEach(add);
	Object.values(part).forEach(collect);
}

collect(document);
for (const [path, methods] of Object.entries<Json>(document.paths)) {
	for (const word of [path, ...path.split(/[/{}]+/), ...Object.keys(methods)]) add(word);
}

/** What an event's name begins with, and how the words after it are written. */
const EVENT =
	/^(?:proposal|payment|order|change_?order|contact|person|people|catalog|item|ai|outline|build)((?:[._][a-z]+)+|(?:[A-Z][a-z]+)+)$/;
/** What the probe names its own records and pictures. */
const OWN = /^(https:\/\/example\.com\/)?n8n[- ]probe\b/i;

/** Whether a whole text is a word of the contract, in whatever case, or an event's name. */
export const isPublicWord = (text: string) =>
	words.has(text.toLowerCase()) || isEvent(lowerFirst(text));

/** The rest of the name has words, too, and not somebody's name: `status_changed`. */
function isEvent(text: string): boolean {
	const rest = EVENT.exec(text)?.[1]?.match(/[A-Z]?[a-z]+/g);
	return rest?.every((word) => isEnglish(word, true) || words.has(word.toLowerCase())) ?? false;
}

/** Whether a text in a record was written by the probe. */
export const isOwnText = (text: string) => OWN.test(text);

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
