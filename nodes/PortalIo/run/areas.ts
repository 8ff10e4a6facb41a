/** The areas of proposals by their names: each proposal is read once in an execution. */
import { areasOf, fetchProposal, isProposal, type Proposal } from '../../../client/model';
import { send, type Session } from '../../../client/session';
import { plainText } from '../../shared/text';
import type { Found, MissingArea } from '../fields/field';
import { areasNamed, newArea } from '../resources/area';

interface KnownArea {
	id: number;
	name: string;
	optionIds: number[];
}

/** A name with the number of an option: `Living Room / 2`. `Apt 2/3` is a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;
const MAX_NAMED = 10;

/** The areas that were read in an execution, by proposal. */
export interface KnownAreas {
	session: Session;
	ofProposals: Map<number, Promise<KnownArea[]>>;
}

/** Finds an area by its name. */
export async function findArea(
	known: KnownAreas,
	proposalId: number,
	name: string,
): Promise<Found> {
	const areas = await readAreas(known, proposalId);
	const area = onlyOne(areasNamed(areas, name)) ?? notFound(areas, name, 'refuse');
	return typeof area === 'string' ? area : area.id;
}

/** Inputs that may create an area in the same proposal have to wait for each other. */
export async function findAreaOption(
	known: KnownAreas,
	proposalId: number,
	name: string,
	missing: MissingArea,
): Promise<Found> {
	const isName = missing === 'create';
	const areas = await readAreas(known, proposalId);
	const found = optionNamed(areas, name, isName);
	if (found !== undefined) return found;
	if (!isName) return notFound(areas, name, missing);
	await createArea(known, proposalId, name.trim());
	const created = optionNamed(await readAreas(known, proposalId), name, isName);
	return (
		created ??
		`was not created: Portal.io accepted the request, but the proposal has no area '${name}'`
	);
}

async function readAreas(
	{ session, ofProposals }: KnownAreas,
	proposalId: number,
): Promise<KnownArea[]> {
	const reading = ofProposals.get(proposalId) ?? fetchProposal(session, proposalId).then(areasIn);
	ofProposals.set(proposalId, reading);
	return await reading;
}

/** The proposal is read again if the response does not show its areas. */
async function createArea(
	{ session, ofProposals }: KnownAreas,
	proposalId: number,
	name: string,
): Promise<void> {
	ofProposals.delete(proposalId);
	const response = await send(session, newArea(proposalId, name));
	if (isProposal(response)) ofProposals.set(proposalId, Promise.resolve(areasIn(response)));
}

const areasIn = (proposal: Proposal): KnownArea[] =>
	areasOf(proposal).map(({ id, name, options }) => ({
		id,
		name: String(name),
		optionIds: options.map((option) => option.id),
	}));

function notFound(areas: KnownArea[], name: string, missing: MissingArea): string {
	const names = areas.slice(0, MAX_NAMED).map((area) => `'${area.name}'`);
	const has = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	const advice = missing === 'couldCreate' ? ", or turn on 'Create Missing Area'." : '.';
	return `was not found: the proposal has no area '${plainText(name)}'. ${has} Check the name${advice}`;
}

/** Returns a reason if there are several, undefined if there is none. */
function onlyOne([area, ...others]: KnownArea[]): KnownArea | string | undefined {
	return others.length === 0
		? area
		: `is ambiguous: the proposal has ${others.length + 1} areas '${area!.name}'. ${CHOOSE}`;
}

const CHOOSE = 'Choose one from the list, or enter its ID.';

/** Undefined if no area has the name. `isName`: the text has no option number. */
function optionNamed(areas: KnownArea[], text: string, isName: boolean): Found | undefined {
	const named = areasNamed(areas, text);
	const [, name = '', number] = isName ? [] : (WITH_OPTION.exec(plainText(text)) ?? []);
	const isNumbered = named.length === 0 && number !== undefined;
	const area = onlyOne(isNumbered ? areasNamed(areas, name) : named);
	if (area === undefined || typeof area === 'string') return area;
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
