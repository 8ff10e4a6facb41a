import { clearableText } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const clientNote = clearableText('Client Note', {
	description: 'The note that the customer reads; empty clears it',
});

/** docs/portal-api.md#items */
export const updateClientNote = setValue(
	'Client Note',
	'Replace the note on an item that the customer reads',
	'note',
	{ clientNote },
);
