import { areasOf, isProposal, optionsOf, readProposal } from '../../../client/model';
import { nameKey } from '../../shared/text';
import { field, fromResponse, operation, path, proposalId, request } from './kit';
import type { Resource, ServiceRequest } from './kit';

/** The areas with a name: with exactly this one, or else regardless of case and spaces. */
export function areasNamed<T extends { name: string }>(areas: T[], name: string): T[] {
	const exact = areas.filter((area) => area.name === name.trim());
	return exact.length > 0 ? exact : areas.filter((area) => nameKey(area.name) === nameKey(name));
}

/** The request that adds an area to a proposal. */
export const newArea = (proposalId: number, name: string): ServiceRequest =>
	request.post(path`/public/proposals/${proposalId}/area`, { name });

/** docs/dev/portal-api.md#areas-and-options */
const create = operation({
	name: 'Create',
	action: 'Create area in proposal',
	description: 'Add an area, such as a room, to a proposal, with an area option for items',
	fields: {
		proposalId,
		name: field.requiredText('Name', {
			placeholder: 'e.g. Living Room',
			description: 'Must be unique in the proposal',
		}),
		options: field.options({
			reuseExisting: field.flag('Reuse Existing Area', {
				description:
					'Whether to return an existing area with this name instead of creating another',
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, name, options } = call.values;
		if (options.reuseExisting) {
			const proposal = await readProposal(call, proposalId);
			const [area] = areasNamed(areasOf(proposal), name);
			if (area !== undefined) return fromResponse(proposal, { ...area, proposalId: proposal.id });
		}
		const response = await call.send(newArea(proposalId, name));
		if (!isProposal(response)) return fromResponse(response, undefined);
		const areas = areasOf(response).sort((one, other) => other.id - one.id);
		// Portal.io may have changed the name.
		const area = areasNamed(areas, name)[0] ?? areas[0];
		return fromResponse(response, area && { ...area, proposalId: response.id });
	},
	output: {
		flat: {
			id: 'integer',
			proposalId: 'integer',
			name: 'string',
			areaOptionId: ['integer', 'options.0.id'],
		},
	},
});

/** docs/dev/portal-api.md#the-proposal */
const getMany = operation({
	name: 'Get Many',
	action: 'Get many areas in proposal',
	description: 'Retrieve a list of the areas of a proposal, one entry for each option',
	fields: { proposalId, ...field.paging },
	run: async (call) => {
		const proposal = await readProposal(call, call.values.proposalId);
		return {
			records: optionsOf(proposal).map(({ area, option }) => ({
				...option,
				...{ proposalId: proposal.id, areaId: area.id, areaName: area.name },
			})),
		};
	},
	output: {
		flat: {
			areaName: 'string',
			status: 'string',
			total: 'number',
			totalRecurringService: 'number',
			itemCount: ['integer', 'items.length'],
			clientDescription: 'string',
			installerNotes: ['string', 'installerDescription'],
			areaOptionId: ['integer', 'id'],
			areaId: 'integer',
			proposalId: 'integer',
		},
	},
});

export const area: Resource = {
	name: 'Area',
	description: 'A room or zone of a proposal',
	operations: { create, getMany },
};
