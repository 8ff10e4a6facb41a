/** Text that results when JavaScript converts an object, or a list of objects, to a string. */
export const OBJECT_TEXT = '[object Object]';
const OBJECT_ADVICE =
	'An expression that returns an object or a list must stand alone. Remove the text and spaces around it, or map a single value of the object.';

export interface Problem {
	/** Sentence that begins with the field's label, such as `'Quantity' must be a number`. */
	sentence: string;
	description?: string;
}

/** An error about a value that a field cannot use. Its message does not yet begin with the label of the field. */
export class ValueError extends Error {
	readonly description: string | undefined;

	/** @param must rest of a sentence, such as `must be a number` */
	constructor(must: string, description?: string) {
		super(must);
		this.description = description ?? (must.includes(OBJECT_TEXT) ? OBJECT_ADVICE : undefined);
	}
}

export class InvalidFields extends Error {
	readonly description: string | undefined;
	readonly problems: Problem[];

	constructor(problems: Problem[]) {
		const [first, ...others] = problems;
		const isSingle = others.length === 0;
		super(isSingle ? first!.sentence : `${problems.length} values are invalid`);
		this.problems = problems;
		this.description = isSingle ? first!.description : describeProblems(problems);
	}
}

export const invalidField = (label: string, must: string, description?: string): InvalidFields =>
	new InvalidFields(problemsOf(new ValueError(must, description), label));

/** Converts an error about the value of a field to problems that begin with `label`. Rethrows any other error. */
export function problemsOf(error: unknown, label: string): Problem[] {
	if (error instanceof InvalidFields) return error.problems;
	if (!(error instanceof ValueError)) throw error;
	return [{ sentence: `'${label}' ${error.message}`, description: error.description }];
}

export function labelErrors<R>(label: string, run: () => R): R {
	let problems: Problem[];
	try {
		return run();
	} catch (error) {
		problems = problemsOf(error, label);
	}
	throw new InvalidFields(problems);
}

/** Prefixes each problem with `place`, such as `Row 2`. */
export const prefixProblems = (place: string, problems: Problem[]): Problem[] =>
	problems.map((problem) => ({ ...problem, sentence: `${place}: ${problem.sentence}` }));

/** Returns a line for each of the first ten problems, then what to do about all of them. */
export function describeProblems(problems: Problem[]): string {
	const advice = new Set(problems.map(({ description = '' }) => description));
	advice.delete('');
	return [joinLines(problems.map(({ sentence }) => sentence)), ...advice].join('\n');
}

/** Maximum number of names in a sentence, and of sentences in a message. */
const MAX_LISTED = 10;

/** Joins names as in `1, 2, and 3`. Lists only the first ten, then how many more there are. */
export function joinWithAnd(names: string[]): string {
	const more = names.length - MAX_LISTED;
	const parts = more > 0 ? [...names.slice(0, MAX_LISTED), `${more} more`] : names;
	return new Intl.ListFormat('en-US').format(parts);
}

/** Joins the first ten sentences, one per line. Each ends with a period, because n8n removes the line breaks. */
export function joinLines(sentences: string[]): string {
	const more = sentences.length - MAX_LISTED;
	const lastLine = more > 0 ? [`And ${more} more.`] : [];
	return [...sentences.slice(0, MAX_LISTED).map(endSentence), ...lastLine].join('\n');
}

export const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
