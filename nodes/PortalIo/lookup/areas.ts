import { areasOf, readProposal, type Proposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { oneLine } from '../../shared/text';
import type { Lookups } from '../fields/field';
import { addedRecord, newArea, proposalWithAreas } from '../resources/area';
import { areasNamed, findArea, findOption, missingAreaError } from '../resources/areaNames';
import { idOf } from './select';

/** An area has many items, which the lookups do not keep. */
interface AreaSummary {
	id: number;
	name: string;
	options: Array<{ id: number; status: string }>;
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
			options: options.map(({ id: optionId, status }) => ({ id: optionId, status })),
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
			const area = findArea(areas, name, label);
			if (area === undefined) throw missingAreaError(areas, name, label);
			return area.id;
		},
		// Inputs that may create an area in the same proposal have to wait for each other.
		areaOption: async (proposalId, name, label, missing) => {
			const wasRead = areasByProposal.has(proposalId);
			let previousAreas = await areasIn(proposalId);
			let found = findOption(previousAreas, name, label, missing);
			if (found === undefined && wasRead) {
				// Another execution may have created the area since then.
				areasByProposal.delete(proposalId);
				previousAreas = await areasIn(proposalId);
				found = findOption(previousAreas, name, label, missing);
			}
			if (found !== undefined) return { id: idOf({ id: found.option?.id }, label), isNew: false };
			// The next input reads the areas again if the request fails.
			areasByProposal.delete(proposalId);
			const response = await session.send(newArea(proposalId, oneLine(name)));
			const proposal = await proposalWithAreas(session, proposalId, response);
			const area = addedRecord('area', previousAreas, summariesOf(proposal), (newAreas) =>
				areasNamed(newAreas, name),
			);
			sentNames.set(area.id, oneLine(name));
			areasByProposal.set(proposalId, Promise.resolve(summariesOf(proposal)));
			return { id: idOf({ id: area.options[0]?.id }, label), isNew: true };
		},
	};
}
