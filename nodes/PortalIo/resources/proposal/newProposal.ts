/** Fields and checks of *Create* and *Duplicate*. */
import { PortalError } from '../../../../client/errors';
import { withDescription, allowBlank } from '../../fields/declare';
import * as field from '../../fields/fieldTypes';
import { contactId, contactLocationId } from '../../fields/locators';
import { invalidField } from '../../fields/fieldError';

/** @param description description of *Name*, which says what happens if the name is empty */
export const newNameField = (description: string) =>
	allowBlank(
		field.requiredName('Name', { placeholder: 'e.g. Holt residence, lower level', description }),
	);

/** @param description description of *Contact*, which says whose client it is */
export const clientInputFields = (description: string) => ({
	contactId: withDescription(contactId, description),
	locationId: withDescription(
		contactLocationId,
		"The job site, which must be one of the contact's locations. Requires 'Contact'.",
	),
});

type ClientValues = { additionalFields: { contactId?: number; locationId?: number } };

export function assertContact({ additionalFields }: ClientValues): void {
	const { contactId, locationId } = additionalFields;
	if (locationId === undefined || contactId !== undefined) return;
	throw invalidField('Contact', 'is empty: enter the contact that the location belongs to');
}

/** @param state end of the sentence `The proposal was created, but …`, with its period */
export function requireProposalId(newProposal: unknown, state: string): number {
	const id = Number((newProposal as { id?: unknown } | null)?.id);
	if (Number.isSafeInteger(id) && id > 0) return id;
	throw new PortalError('Portal.io did not return the ID of the new proposal', {
		advice: [
			`The proposal was created, but ${state} Check in Portal.io before you run the step again.`,
		],
	});
}
