/** See docs/dev/portal-api.md#areas-and-options. */
import { PortalError } from '../../../client/errors';
import { readProposal, type AreaOption, type Proposal } from '../../../client/proposal';
import { path, type ServiceRequest } from '../../../client/request';
import * as collection from '../fields/collections';
import * as field from '../fields/fieldTypes';
import { areaId, optionOfAreaId, proposalId } from '../fields/locators';
import { isSameValue } from '../operation/valueEquality';
import { defineOperation, type Resource } from '../operation/operation';
import { request } from '../operation/requests';
import { defineUpdate, type UpdateRequestBuilder } from '../operation/updateOperation';
import {
	requireAddedRecord,
	areaOptionShape,
	toOptionOutput,
	listOptions,
	readProposalAreas,
} from './area';

/** Text fields of an option, in the order in which an update sends them. */
export const OPTION_TEXTS = {
	clientDescription: {
		part: 'clientdescription',
		field: field.clearableText('Client Description', {
			...field.FOUR_ROWS,
			description: 'Description for the client. Leave empty to clear it.',
		}),
	},
	installerNotes: {
		part: 'installernotes',
		field: field.clearableText('Installer Notes', {
			...field.FOUR_ROWS,
			description: 'Notes for the installers. Leave empty to clear them.',
		}),
	},
};

type Texts = Partial<Record<keyof typeof OPTION_TEXTS, string | null>>;

/**
 * Returns an option's text fields under the names that this node uses, because Portal.io's names in responses differ
 * from those in requests.
 */
export const textsOf = ({ clientDescription, installerDescription }: AreaOption): Texts => ({
	clientDescription,
	installerNotes: installerDescription,
});

export const createOptionRequest = (
	proposalId: number,
	areaId: number,
	texts: Texts,
): ServiceRequest =>
	request.post(path`/public/proposals/${proposalId}/area/${areaId}/option`, {
		clientDescription: texts.clientDescription,
		internalNotes: texts.installerNotes,
	});

export const optionUpdate =
	(proposalId: number, areaId: number, optionId: number): UpdateRequestBuilder =>
	(part, values) => ({
		...request.repeatablePost(
			path`/public/proposals/${proposalId}/area/${areaId}/option/${optionId}/${part}`,
			values,
		),
		alternates: [{ path: path`/public/proposals/${proposalId}/area-options/${optionId}/${part}` }],
	});

const create = defineOperation({
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an option to an area, so the client can choose between alternatives. An area can have up to three options.',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		areaId,
		additionalFields: collection.additionalFields({
			clientDescription: field.text('Client Description', field.FOUR_ROWS),
			installerNotes: field.text('Installer Notes', field.FOUR_ROWS),
		}),
	},
	run: async (call) => {
		const { proposalId, areaId, additionalFields: texts } = call.values;
		const optionsOfArea = (proposal: Proposal) =>
			listOptions(proposal).filter((option) => option.areaId === areaId);
		const previousOptions = optionsOfArea(await readProposal(call, proposalId));
		const response = await call.send(createOptionRequest(proposalId, areaId, texts));
		const after = await readProposalAreas(call, proposalId, response);
		const { clientDescription, installerNotes } = texts;
		const withTexts = (options: AreaOption[]) =>
			options.filter(
				(option) =>
					isSameValue('text', clientDescription, option.clientDescription) &&
					isSameValue('text', installerNotes, option.installerDescription),
			);
		return toOptionOutput(after, () =>
			requireAddedRecord<AreaOption>('option', previousOptions, optionsOfArea(after), withTexts),
		);
	},
	output: { flat: areaOptionShape },
});

const update = defineUpdate({
	name: 'Update',
	action: 'Update area option',
	description: "Update an area option's client description and installer notes",
	fields: { proposalId, areaId, areaOptionId: optionOfAreaId },
	table: OPTION_TEXTS,
	requestBuilder: ({ proposalId, areaId, areaOptionId }) =>
		optionUpdate(proposalId, areaId, areaOptionId),
	run: async (call, sendUpdate) => {
		const { proposalId, areaOptionId } = call.values;
		const after = await readProposalAreas(call, proposalId, await sendUpdate());
		return toOptionOutput(after, () => {
			const option = listOptions(after).find(({ id }) => id === areaOptionId);
			if (option !== undefined) return option;
			const what = `the proposal has no area option ${areaOptionId}`;
			throw new PortalError(`Portal.io accepted the request, but ${what}`);
		});
	},
	output: { flat: areaOptionShape },
});

export const areaOption: Resource = {
	name: 'Area Option',
	description: 'An alternative version of an area',
	operations: { create, update },
};
