/** The areas of a proposal by their names. */
import { areasOf, type Proposal } from '../../../client/model';
import { plainText } from '../../shared/text';
import type { Found, MissingArea } from '../fields/field';
import { areasNamed } from '../resources/area';

/** An area, without its items: there may be many. */
interface KnownArea {
	id: number;
	name: string;
	optionIds: number[];
}

export const areasIn = (proposal: Proposal): KnownArea[] =>
	areasOf(proposal).map(({ id, name, options }) => ({
		id,
		name: String(name),
		optionIds: options.map((option) => option.id),
	}));

/** A name with the number of an option: `Living Room / 2`. `Apt 2/3` is a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;
const MAX_NAMED = 10;

/** Finds an area by its name. */
export function findArea(areas: KnownArea[], name: string): Found {
	const area = onlyOne(areasNamed(areas, name)) ?? notFound(areas, name, 'refuse');
	return typeof area === 'string' ? area : area.id;
}

/**
 * Finds an option by the name of its area, with its number if the area has several. An area that may
 * be created has no number behind its name; it is undefined if the proposal does not have it.
 */
export function findOption(
	areas: KnownArea[],
	text: string,
	missing: MissingArea,
): Found | undefined {
	const isName = missing === 'create';
	const named = areasNamed(areas, text);
	const [, name = '', number] = isName ? [] : (WITH_OPTION.exec(plainText(text)) ?? []);
	const isNumbered = named.length === 0 && number !== undefined;
	const area = onlyOne(isNumbered ? areasNamed(areas, name) : named);
	if (area === undefined) return isName ? undefined : notFound(areas, text, missing);
	if (typeof area === 'string') return area;
	const { optionIds } = area;
	const count = optionIds.length;
	if (isNumbered) {
		const has = count === 1 ? 'only one option' : `only ${count} options`;
		return optionIds[Number(number) - 1] ?? `was not found: '${area.name}' has ${has}`;
	}
	const advice = isName ? CHOOSE : `Add the option number, as in '${area.name} / 1'.`;
	return count === 1
		? optionIds[0]!
		: `is ambiguous: '${area.name}' has ${count} options. ${advice}`;
}

/** Returns a reason if there are several, undefined if there is none. */
function onlyOne([area, ...others]: KnownArea[]): KnownArea | string | undefined {
	return others.length === 0
		? area
		: `is ambiguous: the proposal has ${others.length + 1} areas '${area!.name}'. ${CHOOSE}`;
}

const CHOOSE = 'Choose one from the list, or enter its ID.';

function notFound(areas: KnownArea[], name: string, missing: MissingArea): string {
	const names = areas.slice(0, MAX_NAMED).map((area) => `'${area.name}'`);
	const has = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	const advice = missing === 'couldCreate' ? ", or turn on 'Create Missing Area'." : '.';
	return `was not found: the proposal has no area '${plainText(name)}'. ${has} Check the name${advice}`;
}
