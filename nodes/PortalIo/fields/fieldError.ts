/** The errors of fields, and one text for the errors of several fields, rows and input items. */
/** JavaScript converts an object or a list of objects to this text. */
export const OBJECT = '[object Object]';
const OBJECT_HINT =
	'An expression with an object or a list must stand alone: remove the text and spaces around it, or map a single value of the object.';

/** Names an input item or a row of a list: `{ kind: 'Input item', name: '2' }`. */
export interface Place {
	kind: string;
	name: string;
}

/** One invalid value. Equal sentences are shown once, with the places and values of all of them. */
export interface Problem {
	/** The field has this label. It may be a list with invalid rows. */
	label: string;
	sentence: string;
	/** The shortened value is here if the sentence does not contain it. */
	value?: string;
	/** This text follows the value. */
	ending?: string;
	/** A further sentence says what to do. */
	description?: string;
	place?: Place;
}

/** At least one field has an invalid value. */
export class InvalidFields extends Error {
	readonly description: string | undefined;
	readonly problems: Problem[];

	constructor(problems: Problem[]) {
		const [first] = problems;
		const isSingle = problems.length === 1;
		super(isSingle ? placed(first!) : titleOf(problems));
		this.problems = problems;
		this.description = isSingle ? first!.description : describeProblems(problems);
	}
}

/** An error about one field, which says what to enter instead. */
export class FieldError extends InvalidFields {
	/** @param must rest of a sentence that begins with the label */
	constructor(
		label: string,
		must: string,
		{ description, ...parts }: Pick<Problem, 'value' | 'ending' | 'description'> = {},
	) {
		const sentence = `'${label}' ${must}`;
		const hasObject = sentence.includes(OBJECT) || parts.value?.includes(OBJECT);
		const advice = description ?? (hasObject ? OBJECT_HINT : undefined);
		super([{ label, sentence, description: advice, ...parts }]);
	}
}

/** Returns the problems of any error, which then have this place. */
export const problemsAt = (place: Place, error: Error & { description?: unknown }): Problem[] =>
	error instanceof InvalidFields
		? error.problems.map((problem) => moveTo(place, problem))
		: [{ label: '', sentence: error.message, description: String(error.description ?? ''), place }];

/** The previous place becomes the beginning of the sentence. */
const moveTo = (place: Place, problem: Problem): Problem => ({
	...problem,
	sentence: `${placeText(problem.place)}${problem.sentence}`,
	place,
});

const placeText = (place?: Place) => (place ? `${place.kind} ${place.name}: ` : '');

const valueText = ({ value }: Problem) => (value === undefined ? '' : `; it is '${value}'`);

const placed = (problem: Problem) =>
	`${placeText(problem.place)}${problem.sentence}${valueText(problem)}${problem.ending ?? ''}`;

/** Returns `'Items' has 3 invalid values`, or `'City' and 'Email' are invalid`. */
function titleOf(problems: Problem[]): string {
	const labels = [...new Set(problems.map(({ label }) => `'${label}'`))];
	if (labels.length > 1) return `${inWords(labels)} are invalid`;
	return `${labels[0]} has ${problems.length} invalid values`;
}

/** Returns a line for each sentence and then, once each, what to do. */
export function describeProblems(problems: Problem[]): string {
	const bySentence = new Map<string, Problem[]>();
	for (const problem of problems) {
		const { sentence, ending = '', place } = problem;
		const key = JSON.stringify([sentence, ending, place?.kind]);
		bySentence.set(key, [...(bySentence.get(key) ?? []), problem]);
	}
	const lines = [...bySentence.values()].map(lineOf);
	const advice = new Set(problems.map(({ description = '' }) => description));
	advice.delete('');
	return [linesOf(lines), ...advice].join('\n');
}

function lineOf(problems: Problem[]): string {
	const [first] = problems;
	const { place, sentence, ending = '' } = first!;
	if (problems.length === 1 || place === undefined) return placed(first!);
	return `${place.kind}s ${inWords(problems.map(nameWithValue))}: ${sentence}${ending}`;
}

const nameWithValue = ({ place, value }: Problem) =>
	value === undefined ? place!.name : `${place!.name} ('${value}')`;

/** Limits the names in a sentence, and the sentences in a message. */
const MAX_SHOWN = 10;

/** Returns `1, 2, and 3`, or the first ten names and how many more there are. */
export function inWords(names: string[]): string {
	const more = names.length - MAX_SHOWN;
	const parts = more > 0 ? [...names.slice(0, MAX_SHOWN), `${more} more`] : names;
	return new Intl.ListFormat('en-US').format(parts);
}

/** Joins sentences, one on each line. n8n shows them without line breaks, so each ends with a full stop. */
export function linesOf(sentences: string[]): string {
	const count = sentences.length;
	const lastLine = count > MAX_SHOWN ? [`And ${count - MAX_SHOWN} more.`] : [];
	return [...sentences.slice(0, MAX_SHOWN).map(asSentence), ...lastLine].join('\n');
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
