import { areasOf, readProposal, type Proposal } from '../../../client/proposal';
import type { ServiceRequest } from '../../../client/request';
import type { Session } from '../../../client/session';
import { toOneLine } from '../../shared/text';
import { requireAddedRecord, createAreaRequest, readProposalAreas } from '../resources/area';
import {
	filterByName,
	findArea,
	findExistingOption,
	findOption,
	missingAreaError,
} from '../resources/areaNames';
import { requireId } from './pickOne';

/** The parts of an area that the lookups keep, without its items, which can be many. */
interface AreaSummary {
	id: number;
	name: string;
	options: Array<{ id: number; status: string }>;
}

/** Sends the request that creates an area. Called only when it is the input item's turn. */
export type SendChange = (request: ServiceRequest) => Promise<unknown>;

/**
 * Returns functions that find areas. They read a proposal's areas once, and again before and after they create an area.
 */
export function createAreaLookups(session: Session) {
	const areasByProposal = new Map<number, Promise<AreaSummary[]>>();
	/**
	 * Names that were sent for new areas, by area ID. They replace the names in responses, because Portal.io might
	 * store a name in another form.
	 */
	const sentNames = new Map<number, string>();
	const summarizeAreas = (proposal: Proposal): AreaSummary[] =>
		areasOf(proposal).map(({ id, name, options }) => ({
			id,
			name: sentNames.get(id) ?? String(name),
			options: options.map(({ id: optionId, status }) => ({ id: optionId, status })),
		}));
	const readAreas = async (proposalId: number) =>
		summarizeAreas(await readProposal(session, proposalId));
	const getAreas = async (proposalId: number) => {
		const areas = areasByProposal.get(proposalId) ?? readAreas(proposalId);
		areasByProposal.set(proposalId, areas);
		return await areas;
	};
	const createArea = async (
		proposalId: number,
		name: string,
		previousAreas: AreaSummary[],
		send: SendChange,
	): Promise<number> => {
		// Forget the areas, so the next input item reads them again if the request fails.
		areasByProposal.delete(proposalId);
		const response = await send(createAreaRequest(proposalId, toOneLine(name)));
		const proposal = await readProposalAreas(session, proposalId, response);
		const area = requireAddedRecord('area', previousAreas, summarizeAreas(proposal), (newAreas) =>
			filterByName(newAreas, name),
		);
		sentNames.set(area.id, toOneLine(name));
		areasByProposal.set(proposalId, Promise.resolve(summarizeAreas(proposal)));
		return requireId({ id: area.options[0]?.id });
	};
	return {
		findArea: async (proposalId: number, name: string): Promise<number> => {
			const areas = await getAreas(proposalId);
			const area = findArea(areas, name);
			if (area === undefined) throw missingAreaError(areas, name);
			return area.id;
		},
		/** @param couldCreate true if the operation has the option *Create Missing Area* */
		findOption: async (proposalId: number, name: string, couldCreate = false): Promise<number> =>
			requireId({ id: findOption(await getAreas(proposalId), name, couldCreate).option?.id }),
		/**
		 * Finds an option, or creates an area and returns its option. Input items that can create an area in the same
		 * proposal must wait for each other.
		 */
		findOrCreateOption: async (
			proposalId: number,
			name: string,
			send: SendChange,
		): Promise<number> => {
			const wasRead = areasByProposal.has(proposalId);
			let areas = await getAreas(proposalId);
			let found = findExistingOption(areas, name);
			if (found === undefined && wasRead) {
				// Read the areas again, because another execution might have created this area.
				areasByProposal.delete(proposalId);
				areas = await getAreas(proposalId);
				found = findExistingOption(areas, name);
			}
			if (found !== undefined) return requireId({ id: found.option?.id });
			return await createArea(proposalId, name, areas, send);
		},
	};
}
