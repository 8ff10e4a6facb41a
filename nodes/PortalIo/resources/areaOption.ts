import {
	added,
	additionalFields,
	areaId,
	clearableText,
	fromResponse,
	isProposal,
	isSame,
	operation,
	optionOfAreaId,
	optionsOf,
	path,
	proposalId,
	sendUpdate,
	text,
	toPascalCase,
	updateFields,
	type AreaOption,
	type Resource,
	type ServiceRequest,
	type Shape,
} from './kit';

const flat: Shape = {
	id: 'integer',
	proposalId: 'integer',
	areaId: 'integer',
	areaOptionId: ['integer', 'id'],
	areaName: 'string',
	status: 'string',
	clientDescription: 'string',
	installerNotes: ['string', 'installerDescription'],
	total: 'number',
};

interface OptionTexts {
	clientDescription?: string | null;
	installerNotes?: string | null;
}

/** The request that adds an option to an area. */
export const newOption = (
	proposalId: number,
	areaId: number,
	{ clientDescription, installerNotes }: OptionTexts,
): ServiceRequest => ({
	method: 'POST',
	path: path`/public/proposals/${proposalId}/area/${areaId}/option`,
	// Portal.io has another name for them here than in an update.
	form: toPascalCase({ clientDescription, internalNotes: installerNotes }),
});

/** docs/dev/portal-api.md#areas-and-options */
const create = operation({
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an alternative to an area of a proposal, for the client to choose from. An area can have up to three options.',
	fields: {
		proposalId,
		areaId,
		additionalFields: additionalFields({
			clientDescription: text('Client Description', {
				typeOptions: { rows: 4 },
				description: 'Description of this option for the client',
			}),
			installerNotes: text('Installer Notes', {
				typeOptions: { rows: 4 },
				description: 'Notes on this option for the installers',
			}),
		}),
	},
	run: async ({ values: { proposalId, areaId, additionalFields }, send }) => {
		const response = await send(newOption(proposalId, areaId, additionalFields));
		const { clientDescription, installerNotes } = additionalFields;
		const texts = { clientDescription, installerDescription: installerNotes };
		// The newest option that has the texts, or else the newest.
		const added = optionsIn(response, areaId).sort((one, other) => other.id - one.id);
		return fromResponse(response, added.find((option) => hasTexts(option, texts)) ?? added[0]);
	},
	output: { flat },
});

/** Empty if the response is not a proposal with this area. */
const optionsIn = (response: unknown, areaId: number) =>
	(isProposal(response) ? optionsOf(response) : [])
		.filter(({ area }) => area.id === areaId)
		.map(({ area, option }) => ({
			...option,
			...{ proposalId: (response as { id: number }).id, areaId, areaName: area.name },
		}));

type Texts = Pick<AreaOption, 'clientDescription' | 'installerDescription'>;

const hasTexts = (option: Texts, { clientDescription, installerDescription }: Texts) =>
	isSame('text', clientDescription, option.clientDescription) &&
	isSame('text', installerDescription, option.installerDescription);

const fields = {
	clientDescription: added(
		clearableText('Client Description', {
			typeOptions: { rows: 4 },
			description: 'Description of this option for the client. Leave empty to clear it.',
		}),
	),
	installerNotes: added(
		clearableText('Installer Notes', {
			typeOptions: { rows: 4 },
			description: 'Notes on this option for the installers. Leave empty to clear it.',
		}),
	),
};

const PARTS = {
	clientDescription: { part: 'clientdescription' },
	installerNotes: { part: 'installernotes' },
};

/** The request that sets a text of an option. */
export function optionText(
	proposalId: number,
	areaId: number,
	optionId: number,
	text: OptionTexts,
): ServiceRequest {
	const [name] = Object.keys(text) as [keyof OptionTexts];
	const { part } = PARTS[name];
	return {
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/area/${areaId}/option/${optionId}/${part}`,
		alternates: [{ path: path`/public/proposals/${proposalId}/area-options/${optionId}/${part}` }],
		form: toPascalCase({ ...text }),
	};
}

/** docs/dev/portal-api.md#areas-and-options */
const update = operation({
	name: 'Update',
	action: 'Update area option',
	description:
		'Update the texts of an area option for the client and the installers. Fields that are not added keep their value.',
	fields: {
		proposalId,
		areaId,
		areaOptionId: optionOfAreaId,
		updateFields: updateFields(fields),
	},
	run: async (call) => {
		const { proposalId, areaId, areaOptionId } = call.values;
		const response = await sendUpdate(call, fields, PARTS, (_part, text) =>
			optionText(proposalId, areaId, areaOptionId, text),
		);
		const options = optionsIn(response, areaId);
		return fromResponse(
			response,
			options.find(({ id }) => id === areaOptionId),
		);
	},
	output: { flat },
});

export const areaOption: Resource = {
	name: 'Area Option',
	description: 'One of the alternatives of an area',
	operations: { create, update },
};
