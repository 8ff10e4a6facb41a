/** Reads the questions of the probe, `questions.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** One thing that a request has to say. */
export interface Question {
	/** The names that this package sends; none for a filter that it does not use. */
	sent: string[];
	/** Other names that the service may use. */
	candidates: string[];
	/** A text accepts any value, so only the metadata of the service can show its name. */
	isText: boolean;
}

const text = readFileSync(new URL('questions.yaml', import.meta.url), 'utf8');
const declared: Record<string, Record<string, string>> = parse(text);

function read(declaration: string): Question {
	const [sent, candidates] = declaration
		.split('|')
		.map((names) => names.split(' ').filter(Boolean));
	const isText = sent![0] === 'text';
	return { sent: isText ? sent!.slice(1) : sent!, candidates: candidates ?? [], isText };
}

/** The questions about each endpoint, by its ID in dev/simulator/contract.yaml. */
export const questions: Record<string, Record<string, Question>> = Object.fromEntries(
	Object.entries(declared).map(([endpoint, asked]) => [
		endpoint,
		Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, read(one)])),
	]),
);
