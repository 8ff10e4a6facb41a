import { areasOf, readProposal, type Proposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { oneLine, plainText } from '../../shared/text';
import type { Lookups, MissingArea } from '../fields/field';
import { FieldError } from '../fields/fieldError';
import { addedRecord, areasNamed, newArea, proposalWithAreas } from '../resources/area';
import { USE_ID, idOf } from './select';

/** An area has many items, which the lookups do not keep. */
interface AreaSummary {
	id: number;
	name: string;
	optionIds: number[];
}

/** Reads the areas of a proposal once, and again before and after it creates an area. */
export function areaLookups(session: Session): Pick<Lookups, 'area' | 'areaOption'> {
	const areasByProposal = new Map<number, Promise<AreaSummary[]>>();
	/** The sent names of new areas, because Portal.io may store another form. */
	const sentNames = new Map<number, string>();
	const summariesOf = (proposal: Proposal): AreaSummary[] =>
		areasOf(proposal).map(({ id, name, options }) => ({
			id,
			name: sentNames.get(id) ?? String(name),
			optionIds: options.map((option) => option.id),
		}));
	const readAreas = async (proposalId: number) =>
		summariesOf(await readProposal(session, proposalId));
	const areasIn = async (proposalId: number) => {
		const areas = areasByProposal.get(proposalId) ?? readAreas(proposalId);
		areasByProposal.set(proposalId, areas);
		return await areas;
	};
	return {
		area: async (proposalId, name, label) => {
			const areas = await areasIn(proposalId);
			const area = onlyArea(areasNamed(areas, name), label);
			if (area === undefined) throw missingAreaError(areas, name, label);
			return area.id;
		},
		// Inputs that may create an area in the same proposal have to wait for each other.
		areaOption: async (proposalId, name, label, missing) => {
			const wasRead = areasByProposal.has(proposalId);
			let previousAreas = await areasIn(proposalId);
			let optionId = optionIdByName(previousAreas, name, label, missing);
			if (optionId === undefined && wasRead) {
				// Another execution may have created the area since then.
				areasByProposal.delete(proposalId);
				previousAreas = await areasIn(proposalId);
				optionId = optionIdByName(previousAreas, name, label, missing);
			}
			if (optionId !== undefined) return { id: optionId, isNew: false };
			// The next input reads the areas again if the request fails.
			areasByProposal.delete(proposalId);
			const response = await session.send(newArea(proposalId, oneLine(name)));
			const proposal = await proposalWithAreas(session, proposalId, response);
			const area = addedRecord('area', previousAreas, summariesOf(proposal), (newAreas) =>
				areasNamed(newAreas, name),
			);
			sentNames.set(area.id, oneLine(name));
			areasByProposal.set(proposalId, Promise.resolve(summariesOf(proposal)));
			return { id: idOf({ id: area.optionIds[0] }, label), isNew: true };
		},
	};
}

/** Matches a name with the number of an option: `Living Room / 2`. `Apt 2/3` is only a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;

/**
 * Returns the areas that a text names, and the number of the option in the text. The name of an area may end
 * like the number of an option, so it counts first.
 */
function areasByText(
	areas: AreaSummary[],
	text: string,
): { areas: AreaSummary[]; optionNumber?: number } {
	const areasWithText = areasNamed(areas, text);
	const [, name, number] = WITH_OPTION.exec(plainText(text)) ?? [];
	if (areasWithText.length > 0 || name === undefined) return { areas: areasWithText };
	return { areas: areasNamed(areas, name), optionNumber: Number(number) };
}

/**
 * Returns an option by the name of its area, with its number if the area has several; undefined if the
 * area does not exist and should be created.
 */
function optionIdByName(
	areas: AreaSummary[],
	text: string,
	label: string,
	missing?: MissingArea,
): number | undefined {
	const { areas: namedAreas, optionNumber } = areasByText(areas, text);
	const area = onlyArea(namedAreas, label);
	if (area === undefined) {
		if (missing === 'create') return undefined;
		throw missingAreaError(areas, text, label, missing);
	}
	const { optionIds } = area;
	const count = optionIds.length;
	if (optionNumber !== undefined) {
		const optionId = optionIds[optionNumber - 1];
		if (optionId !== undefined) return optionId;
		const options = count === 1 ? 'only one option' : `only ${count} options`;
		throw new FieldError(label, `was not found: '${area.name}' has ${options}`);
	}
	if (count === 1) return optionIds[0]!;
	throw new FieldError(
		label,
		`is ambiguous: '${area.name}' has ${count} options. Add the option number, as in '${area.name} / 1'.`,
	);
}

/** Throws if there are several areas. */
function onlyArea(areas: AreaSummary[], label: string): AreaSummary | undefined {
	const [area] = areas;
	if (areas.length <= 1) return area;
	throw new FieldError(
		label,
		`is ambiguous: the proposal has ${areas.length} areas '${area!.name}'. ${USE_ID}`,
	);
}

const MAX_NAMED_AREAS = 10;

function missingAreaError(
	areas: AreaSummary[],
	name: string,
	label: string,
	missing?: MissingArea,
): FieldError {
	const names = areas.slice(0, MAX_NAMED_AREAS).map((area) => `'${area.name}'`);
	const areasText = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
	const advice = missing === 'couldCreate' ? ", or turn on 'Create Missing Area'." : '.';
	return new FieldError(
		label,
		`was not found: the proposal has no area '${plainText(name)}'. ${areasText} Check the name${advice}`,
	);
}
