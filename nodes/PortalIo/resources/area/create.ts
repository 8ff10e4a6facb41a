import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/encoding';
import type { Area, Proposal } from '../../../../client/model';
import { areasOf } from '../../../shared/areas';
import { integer, text, type Shape } from '../../../shared/shape';
import { requiredText } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation, toPascalCase } from '../../shared/operation';

type PlacedArea = Area & { proposalId: number };

const areaShape: Shape<PlacedArea> = {
	id: integer(({ id }) => id),
	proposalId: integer(({ proposalId }) => proposalId),
	name: text(({ name }) => name),
	areaOptionId: integer(({ options }) => options[0]?.id),
};

/** docs/portal-api.md#areas-and-options */
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
	},
	request: ({ proposalId, name }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/area`,
		form: toPascalCase({ name }),
	}),
	output: { shape: areaShape, records: (response, { name }) => newArea(response, name) },
});

/** The area with the name, which is unique in a proposal; the newest one when the name was changed. */
function newArea(response: IDataObject, name: string): PlacedArea | undefined {
	const { id } = response as unknown as Partial<Proposal>;
	const areas = areasOf(response);
	if (id === undefined || areas.length === 0) return undefined;
	const newest = areas.reduce((one, other) => (other.id > one.id ? other : one));
	return { ...(areas.find((area) => area.name === name) ?? newest), proposalId: id };
}
