import { areasOf, readProposal, type Proposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { plainText } from '../../shared/text';
import type { Found, MissingArea } from '../fields/field';
import { areasNamed } from '../resources/area';

/** An area, without its items: there may be many. */
export interface KnownArea {
	id: number;
	name: string;
	optionIds: number[];
}

export const readAreas = async (session: Session, proposalId: number) =>
	areasIn(await readProposal(session, proposalId));

export const areasIn = (proposal: Proposal): KnownArea[] =>
	areasOf(proposal).map(({ id, name, options }) => ({
		id,
		name: String(name),
		optionIds: options.map((option) => option.id),
	}));

/** A name with the number of an option: `Living Room / 2`. `Apt 2/3` is a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;
const MAX_NAMED_AREAS = 10;

export function findArea(areas: KnownArea[], name: string): Found {
	const area = onlyArea(areasNamed(areas, name)) ?? noArea(areas, name);
	return typeof area === 'string' ? area : area.id;
}

/**
 * Finds an option by the name of its area, with its number if the area has several. Undefined if the
 * proposal does not have the area, and it is to be created.
 */
export function findOption(
	areas: KnownArea[],
	text: string,
	missing?: MissingArea,
): Found | undefined {
	const named = areasNamed(areas, text);
	const [, name = text, number] = WITH_OPTION.exec(plainText(text)) ?? [];
	// A name may end like the number of an option.
	const isNumbered = named.length === 0;
	const area = onlyArea(isNumbered ? areasNamed(areas, name) : named);
	if (area === undefined) {
		return missing === 'create' ? undefined : noArea(areas, text, missing);
	}
	if (typeof area === 'string') return area;
	const { optionIds } = area;
	const count = optionIds.length;
	if (isNumbered) {
		const has = count === 1 ? 'only one option' : `only ${count} options`;
		return optionIds[Number(number) - 1] ?? `was not found: '${area.name}' has ${has}`;
	}
	return count === 1
		? optionIds[0]!
		: `is ambiguous: '${area.name}' has ${count} options. Add the option number, as in '${area.name} / 1'.`;
}

/** Returns a reason if there are several, undefined if there is none. */
function onlyArea([area, ...others]: KnownArea[]): KnownArea | string | undefined {
	return others.length === 0
		? area
		: `is ambiguous: the proposal has ${others.length + 1} areas '${area!.name}'. ${CHOOSE}`;
}

const CHOOSE = 'Choose one from the list, or enter its ID.';

function noArea(areas: KnownArea[], name: string, missing?: MissingArea): string {
	const names = areas.slice(0, MAX_NAMED_AREAS).map((area) => `'${area.name}'`);
	const has = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	const advice = missing === 'couldCreate' ? ", or turn on 'Create Missing Area'." : '.';
	return `was not found: the proposal has no area '${plainText(name)}'. ${has} Check the name${advice}`;
}
