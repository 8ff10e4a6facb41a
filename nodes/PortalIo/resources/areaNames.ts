import { nameKey, toPlainText } from '../../shared/text';
import { ValueError } from '../fields/fieldError';

interface NamedArea {
	name: string;
	options: Array<{ id: number; status?: string }>;
}

/** Returns the areas with the given name. Ignores case and extra spaces if no name matches exactly. */
export function filterByName<T extends { name: string }>(areas: T[], name: string): T[] {
	const exact = areas.filter((area) => area.name === name.trim());
	return exact.length > 0 ? exact : areas.filter((area) => nameKey(area.name) === nameKey(name));
}

/** Returns the area with the given name. Throws a ValueError if several areas have that name. */
export function findArea<A extends { name: string }>(areas: A[], name: string): A | undefined {
	const matches = filterByName(areas, name);
	const [area] = matches;
	if (matches.length <= 1) return area;
	throw new ValueError(
		`is ambiguous: the proposal has ${matches.length} areas named '${area!.name}'. Use the ID of one of them, or rename the others in Portal.io.`,
	);
}

/**
 * Pattern of an area name followed by an option number, such as `Living Room / 2`. Does not match `Apt 2/3`, which is
 * just a name.
 */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;

/** Option that text such as `Den` or `Den / 2` refers to. The 2 is the number of the option. */
interface LocatedOption<A extends NamedArea> {
	name: string;
	optionNumber?: number;
	area?: A;
	option?: A['options'][number];
}

/**
 * Finds an option by the name of its area, followed by the option's number if the area has several options. Without a
 * number, ignores declined options, unless all options are declined. Tries the whole text as a name first, because a
 * name can also end with a slash and a number. Throws a ValueError if the text is ambiguous.
 */
export function locateOption<A extends NamedArea>(areas: A[], text: string): LocatedOption<A> {
	const area = findArea(areas, text);
	if (area !== undefined) return { name: text, area, option: findOnlyOption(area) };
	const [, name, number] = WITH_OPTION.exec(toPlainText(text)) ?? [];
	if (name === undefined) return { name: text };
	const optionNumber = Number(number);
	const numberedArea = findArea(areas, name);
	const option = numberedArea?.options[optionNumber - 1];
	return { name, optionNumber, area: numberedArea, option };
}

interface FoundOption<A extends NamedArea> {
	area: A;
	option: A['options'][number] | undefined;
}

/**
 * Returns the option that the text refers to. Throws a ValueError if that option does not exist.
 *
 * @param couldCreate true if *Create Missing Area* could create the area
 */
export function findOption<A extends NamedArea>(
	areas: A[],
	text: string,
	couldCreate = false,
): FoundOption<A> {
	const { name, area, optionNumber, option } = locateOption(areas, text);
	if (area !== undefined) return requireOption(area, option, optionNumber);
	const isCreatable = couldCreate && optionNumber === undefined;
	const advice = isCreatable ? ", or turn on 'Create Missing Area'" : '';
	throw missingAreaError(areas, name, advice);
}

/** Returns the option that the text refers to, or undefined if the area is missing and should be created. */
export function findExistingOption<A extends NamedArea>(
	areas: A[],
	text: string,
): FoundOption<A> | undefined {
	const { name, area, optionNumber, option } = locateOption(areas, text);
	if (area !== undefined) return requireOption(area, option, optionNumber);
	if (optionNumber === undefined) return undefined;
	// Do not create an area named `Den / 2`, because options of one area would become separate areas, and the client
	// would see the numbers.
	throw missingAreaError(areas, name, ', or leave out the number to create the area');
}

function requireOption<A extends NamedArea>(
	area: A,
	option: A['options'][number] | undefined,
	optionNumber: number | undefined,
): FoundOption<A> {
	if (option !== undefined || optionNumber === undefined) return { area, option };
	const { length } = area.options;
	const optionsText = length === 1 ? 'only one option' : `only ${length} options`;
	throw new ValueError(`was not found: '${area.name}' has ${optionsText}`);
}

function findOnlyOption({ name, options }: NamedArea) {
	const undeclined = options.filter(({ status }) => status !== 'Declined');
	const choices = undeclined.length > 0 ? undeclined : options;
	if (choices.length <= 1) return choices[0];
	throw new ValueError(
		`is ambiguous: '${name}' has ${options.length} options. Add the option number, as in '${name} / 1'.`,
	);
}

const MAX_NAMED_AREAS = 10;

/** @param advice alternative to checking the name, such as `, or turn on 'Create Missing Area'` */
export function missingAreaError(
	areas: Array<{ name: string }>,
	name: string,
	advice = '',
): ValueError {
	const allNames = new Set(areas.map((area) => `'${area.name}'`));
	const names = [...allNames].slice(0, MAX_NAMED_AREAS);
	const areasText = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has no areas.';
	return new ValueError(
		`was not found: the proposal has no area '${toPlainText(name)}'. ${areasText} Check the name${advice}.`,
	);
}
