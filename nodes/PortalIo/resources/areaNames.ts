/** Finds areas and their options by the names that people use. */
import { nameKey, plainText } from '../../shared/text';
import type { MissingArea } from '../fields/field';
import { FieldError } from '../fields/fieldError';

/** The parts of an area that its name and the number of an option identify. */
interface NamedArea {
	name: string;
	options: Array<{ id: number; status?: string }>;
}

/** Returns the areas with exactly this name or, if there are none, regardless of case and spaces. */
export function areasNamed<T extends { name: string }>(areas: T[], name: string): T[] {
	const exact = areas.filter((area) => area.name === name.trim());
	return exact.length > 0 ? exact : areas.filter((area) => nameKey(area.name) === nameKey(name));
}

/** Returns the area with this name; throws a FieldError if several have it. */
export function findArea<A extends { name: string }>(
	areas: A[],
	name: string,
	label: string,
): A | undefined {
	const matches = areasNamed(areas, name);
	const [area] = matches;
	if (matches.length <= 1) return area;
	throw new FieldError(
		label,
		`is ambiguous: the proposal has ${matches.length} areas '${area!.name}'. Use the ID of one of them, or rename the others in Portal.io.`,
	);
}

/** Matches a name with the number of an option: `Living Room / 2`. `Apt 2/3` is only a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;

/** What a text names: `Den`, or `Den / 2` with the number of the option. */
interface LocatedOption<A extends NamedArea> {
	/** The name of the area in the text. */
	name: string;
	optionNumber?: number;
	area?: A;
	option?: A['options'][number];
}

/**
 * Finds an option by the name of its area, with its number if the area has several. Without a number, declined
 * options count only if there is no other. The name of an area may end like the number of an option, so it
 * counts first. Throws a FieldError if the text is ambiguous.
 */
export function locateOption<A extends NamedArea>(
	areas: A[],
	text: string,
	label: string,
): LocatedOption<A> {
	const area = findArea(areas, text, label);
	if (area !== undefined) return { name: text, area, option: findOnlyOption(area, label) };
	const [, name, number] = WITH_OPTION.exec(plainText(text)) ?? [];
	if (name === undefined) return { name: text };
	const optionNumber = Number(number);
	const numberedArea = findArea(areas, name, label);
	const option = numberedArea?.options[optionNumber - 1];
	return { name, optionNumber, area: numberedArea, option };
}

/**
 * Returns the option that a text names; throws a FieldError if there is none.
 *
 * @returns undefined if the area is missing and should be created
 */
export function findOption<A extends NamedArea>(
	areas: A[],
	text: string,
	label: string,
	missing?: MissingArea,
): { area: A; option: A['options'][number] | undefined } | undefined {
	const { name, optionNumber, area, option } = locateOption(areas, text, label);
	if (area === undefined) {
		if (missing === 'create' && optionNumber === undefined) return undefined;
		throw missingAreaError(areas, name, label, adviceOnMissing(missing, optionNumber));
	}
	if (option !== undefined || optionNumber === undefined) return { area, option };
	const { length } = area.options;
	const optionsText = length === 1 ? 'only one option' : `only ${length} options`;
	throw new FieldError(label, `was not found: '${area.name}' has ${optionsText}`);
}

function adviceOnMissing(
	missing: MissingArea | undefined,
	optionNumber: number | undefined,
): string {
	// Options that belong together would become areas, and the client would see their numbers.
	if (optionNumber !== undefined) {
		return missing === 'create' ? ', or leave out the number to create the area' : '';
	}
	return missing === 'couldCreate' ? ", or turn on 'Create Missing Area'" : '';
}

function findOnlyOption({ name, options }: NamedArea, label: string) {
	const undeclined = options.filter(({ status }) => status !== 'Declined');
	const choices = undeclined.length > 0 ? undeclined : options;
	if (choices.length <= 1) return choices[0];
	throw new FieldError(
		label,
		`is ambiguous: '${name}' has ${options.length} options. Add the option number, as in '${name} / 1'.`,
	);
}

const MAX_NAMED_AREAS = 10;

/** @param advice what to do other than checking the name, such as `, or turn on 'Create Missing Area'` */
export function missingAreaError(
	areas: Array<{ name: string }>,
	name: string,
	label: string,
	advice = '',
): FieldError {
	const allNames = new Set(areas.map((area) => `'${area.name}'`));
	const names = [...allNames].slice(0, MAX_NAMED_AREAS);
	const areasText = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	return new FieldError(
		label,
		`was not found: the proposal has no area '${plainText(name)}'. ${areasText} Check the name${advice}.`,
	);
}
