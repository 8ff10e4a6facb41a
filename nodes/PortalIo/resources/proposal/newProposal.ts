/** Shared by *Create* and *Duplicate*. */
import { PortalError } from '../../../../client/errors';
import { contactId, contactLocationId } from '../../fields/locators';
import * as field from '../../fields/types';
import { FieldError } from '../../fields/values';

/** @param description what happens without a name */
export const newName = (description: string) =>
	field.mayBeBlank(
		field.requiredName('Name', { placeholder: 'e.g. Holt residence, lower level', description }),
	);

/** @param description whose client it is */
export const clientFields = (description: string) => ({
	contactId: field.described(contactId, description),
	locationId: field.described(
		contactLocationId,
		"The site: a location of the contact. Add 'Contact' too.",
	),
});

type GivenClient = { additionalFields: { contactId?: number; locationId?: number } };

/** @throws FieldError for a location without its contact */
export function assertContact({ additionalFields }: GivenClient): void {
	const { contactId, locationId } = additionalFields;
	if (locationId === undefined || contactId !== undefined) return;
	throw new FieldError('Contact', 'is empty: choose a contact before a location');
}

/** The ID of a new proposal; `state` says in an error what is missing from the proposal. */
export function createdId(created: unknown, state: string): number {
	const id = Number((created as { id?: unknown } | null)?.id);
	if (Number.isSafeInteger(id) && id > 0) return id;
	throw new PortalError('Portal.io did not return the ID of the new proposal', {
		advice: [
			`The proposal was created, but ${state} Check in Portal.io before you run the step again.`,
		],
	});
}
