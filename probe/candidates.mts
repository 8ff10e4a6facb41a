/** The ways that an operation may want to be sent, where this package's own has no effect. */
import type { Endpoint } from './contract.mts';
import type { Field } from './fields.mts';
import type { Format, Lists } from './model.mts';
import { likelyNames, similarity } from './names.mts';
import type { Trial, Values } from './trial.mts';
import { lastPart, spell, type Way } from './way.mts';

/** How fields go over the wire, whatever their names. */
export type Form = Pick<Way, 'format' | 'lists'>;

type Names = Way['names'];

/** What an operation sends. */
export interface Sent {
	endpoint: Endpoint;
	/** Of its body and its query. */
	fields: readonly Field[];
}

const LISTS: readonly Lists[] = ['repeated', 'commas', 'brackets'];

const isPlainList = ({ path, type }: Field, _: number, all: readonly Field[]) =>
	type === 'list' && !all.some((one) => one.path.startsWith(`${path}[].`));

/** The forms that fields can have: the one given first, then those of each format. */
export function formsOf({ endpoint, fields }: Sent, first: Form): Form[] {
	const hasBody = endpoint.format === 'form' || endpoint.format === 'json';
	const other: Format = first.format === 'json' ? 'form' : 'json';
	const formats = hasBody ? [first.format, other] : [first.format];
	const lists = fields.some(isPlainList) ? LISTS : (['repeated'] as const);
	const all = formats.flatMap((format) => lists.map((one) => ({ format, lists: one })));
	const isFirst = (form: Form) => form.format === first.format && form.lists === first.lists;
	return [...all.filter(isFirst), ...all.filter((form) => !isFirst(form))];
}

/** Values of an enumeration by field and by the contract's value. */
export type Alternatives = Record<string, Record<string, readonly string[]>>;

/** Every combination of other values in place of those sent, fewest first. */
export function valuesOf(alternatives: Alternatives, sent: Values): Way['values'][] {
	let all: Way['values'][] = [{}];
	for (const [field, values] of Object.entries(alternatives)) {
		const used = [sent[field]].flat().map(String);
		for (const [ours, theirs] of Object.entries(values)) {
			if (!used.includes(ours)) continue;
			const more = all.flatMap((one) =>
				theirs.map((value) => ({ ...one, [field]: { ...one[field], [ours]: value } })),
			);
			all = [...all, ...more];
		}
	}
	const size = (one: Way['values']) =>
		Object.values(one).reduce((sum, values) => sum + Object.keys(values).length, 0);
	return all.sort((one, other) => size(one) - size(other)).slice(0, 16);
}

/** What was learned of other endpoints comes before what documents name. */
export function alternativesOf({ otherValues = {} }: Trial, learned: Way['values']): Alternatives {
	const all: Record<string, Record<string, readonly string[]>> = structuredClone(otherValues);
	for (const [field, values] of Object.entries(learned)) {
		for (const [ours, theirs] of Object.entries(values)) {
			const others = all[field]?.[ours] ?? [];
			all[field] = { ...all[field], [ours]: [...new Set([theirs, ...others])] };
		}
	}
	return all;
}

/** Names of one kind for each field, as a way has them. */
export const single = (names: Record<string, string>): Names =>
	Object.fromEntries(Object.entries(names).map(([field, name]) => [field, [name]]));

/** Every likely name of each field, its own first. No name is given to two fields. */
function likelyByField(
	{ endpoint, fields }: Sent,
	format: Format,
	wanted: readonly Field[],
): Map<string, string[]> {
	const all = fields.map((field) => {
		const isInner = field.path.includes('.');
		const hinted = wanted
			.filter(({ path }) => path.includes('.') === isInner)
			.map(({ path }) => lastPart(path));
		const likely = likelyNames(endpoint, field.path).map((name) =>
			isInner ? name : spell(name, format),
		);
		const names = new Map([...likely, ...hinted].map((name) => [name.toLowerCase(), name]));
		return { path: field.path, isInner, names: [...names.values()] };
	});
	const fold = (name: string) => name.toLowerCase();
	/** Whether no other field on the same level is more like a name; the first of equals has it. */
	const isBest = (name: string, index: number) => {
		const { path, isInner } = all[index]!;
		const own = similarity(endpoint, path, name);
		return all.every((one, at) => {
			if (at === index || one.isInner !== isInner) return true;
			if (!one.names.some((other) => fold(other) === fold(name))) return true;
			const theirs = similarity(endpoint, one.path, name);
			return theirs < own || (theirs === own && at > index);
		});
	};
	return new Map(
		all.map(({ path, names }, index) => [path, names.filter((one) => isBest(one, index))]),
	);
}

/**
 * All likely names in one request, which a service answers that ignores what it does not know: for
 * all fields, and for those of the body itself alone, as some are stricter about entries of lists.
 */
export function sideBySide(sent: Sent, format: Format, wanted: readonly Field[]): Names[] {
	const all = [...likelyByField(sent, format, wanted)];
	const ofBody = all.filter(([path]) => !path.includes('.'));
	return ofBody.length === all.length
		? [Object.fromEntries(all)]
		: [Object.fromEntries(all), Object.fromEntries(ofBody)];
}

/** Each way to choose one of several things, by how far down in their lists they stand together. */
function* choices(sizes: readonly number[]): Generator<number[]> {
	const most = sizes.reduce((sum, size) => sum + size - 1, 0);
	const place = function* (index: number, rest: number): Generator<number[]> {
		if (index === sizes.length) {
			if (rest === 0) yield [];
			return;
		}
		for (let one = 0; one <= Math.min(rest, sizes[index]! - 1); one++) {
			for (const others of place(index + 1, rest - one)) yield [one, ...others];
		}
	};
	for (let sum = 1; sum <= most; sum++) yield* place(0, sum);
}

/**
 * One name for each field, the likely ones first, in each form and with each value: for services
 * that refuse what they do not know.
 */
export function* oneByOne(
	sent: Sent,
	base: Way,
	forms: readonly Form[],
	values: readonly Way['values'][],
	wanted: readonly Field[],
): Generator<Way> {
	const open = { ...sent, fields: sent.fields.filter(({ path }) => !(path in base.names)) };
	const byFormat = {
		form: [...likelyByField(open, 'form', wanted)],
		json: [...likelyByField(open, 'json', wanted)],
	};
	const sizes = byFormat.form.map(([, names]) => names.length);
	for (const [form, value, ...places] of choices([forms.length, values.length, ...sizes])) {
		const { format, lists } = forms[form!]!;
		const names = byFormat[format].map(([path, likely], index) => [
			path,
			[likely[places[index]!]!],
		]);
		yield {
			...base,
			format,
			lists,
			values: values[value!]!,
			names: { ...base.names, ...Object.fromEntries(names) },
		};
	}
}
