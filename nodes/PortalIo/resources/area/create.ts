import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/encoding';
import {
	areasOf,
	isProposal,
	readProposal,
	type Area,
	type Proposal,
} from '../../../../client/model';
import type { Shape } from '../../../shared/shape';
import { nameKey } from '../../../shared/text';
import { flag, options, requiredText } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';

type PlacedArea = Area & { proposalId: number };

const areaShape: Shape = {
	id: 'integer',
	proposalId: 'integer',
	name: 'string',
	areaOptionId: ['integer', 'options.0.id'],
};

/** docs/dev/portal-api.md#areas-and-options */
export const create = operation({
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
		simplify,
		options: options({
			reuseExisting: flag('Reuse Existing Area', {
				description:
					'Whether to return the area with this name, if the proposal has one, instead of creating another',
			}),
		}),
	},
	execute: async (call) => {
		const { proposalId, name, options } = call.values;
		if (options.reuseExisting) {
			const proposal = await readProposal(call.send, proposalId);
			if (areaNamed(proposal, name) !== undefined) return proposal;
		}
		return await call.send({
			method: 'POST',
			path: path`/public/proposals/${proposalId}/area`,
			form: toPascalCase({ name }),
		});
	},
	output: { shape: areaShape, records: (response, { name }) => newArea(response, name) },
});

/** The area with the name, which is unique in a proposal; the newest one when the name was changed. */
function newArea(response: IDataObject, name: string): PlacedArea | undefined {
	if (!isProposal(response)) return undefined;
	const [newest] = areasOf(response).sort((one, other) => other.id - one.id);
	const area = areaNamed(response, name) ?? newest;
	return area && { ...area, proposalId: response.id };
}

/** The area of a proposal with a name, whatever its case and spaces. */
const areaNamed = (proposal: Proposal, name: string) =>
	areasOf(proposal).find((area) => nameKey(area.name) === nameKey(name));
