import { nameKey } from '../../shared/text';
import {
	areasOf,
	flag,
	fromResponse,
	isProposal,
	operation,
	options,
	optionsOf,
	paging,
	path,
	proposalId,
	readProposal,
	requiredText,
	toPascalCase,
	type Proposal,
	type Resource,
} from './kit';

/** docs/dev/portal-api.md#areas-and-options */
const create = operation({
	name: 'Create',
	action: 'Create area in proposal',
	description:
		'Add an area, such as a room, to a proposal. The output includes the ID of its first area option, for adding items.',
	fields: {
		proposalId,
		name: requiredText('Name', {
			placeholder: 'e.g. Living Room',
			description: 'Must be unique in the proposal',
		}),
		options: options({
			reuseExisting: flag('Reuse Existing Area', {
				description:
					'Whether to return the area with this name, if the proposal has one, instead of creating another',
			}),
		}),
	},
	run: async ({ values: { proposalId, name, options }, send }) => {
		if (options.reuseExisting) {
			const proposal = await readProposal(send, proposalId);
			const area = areaNamed(proposal, name);
			if (area !== undefined) return fromResponse(proposal, { ...area, proposalId: proposal.id });
		}
		const response = await send({
			method: 'POST',
			path: path`/public/proposals/${proposalId}/area`,
			form: toPascalCase({ name }),
		});
		return fromResponse(response, newArea(response, name));
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

/** The area with this name; the newest if Portal.io changed the name. */
function newArea(response: unknown, name: string): object | undefined {
	if (!isProposal(response)) return undefined;
	const [newest] = areasOf(response).sort((one, other) => other.id - one.id);
	const area = areaNamed(response, name) ?? newest;
	return area && { ...area, proposalId: response.id };
}

/** Prefers the exact name, then ignores case and spaces. */
function areaNamed(proposal: Proposal, name: string) {
	const areas = areasOf(proposal);
	return (
		areas.find((area) => area.name === name.trim()) ??
		areas.find((area) => nameKey(area.name) === nameKey(name))
	);
}

/** docs/dev/portal-api.md#the-proposal */
const getMany = operation({
	name: 'Get Many',
	action: 'Get many areas in proposal',
	description:
		'Retrieve a list of the areas of a proposal, one for each of their options, with status, total and texts',
	fields: { proposalId, ...paging },
	run: async ({ values, send }) => {
		const proposal = await readProposal(send, values.proposalId);
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
