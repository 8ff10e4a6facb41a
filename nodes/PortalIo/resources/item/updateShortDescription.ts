import { clearableText } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const shortDescription = clearableText('Short Description', {
	description: 'The new text; empty clears it',
});

/** docs/portal-api.md#items */
export const updateShortDescription = setValue(
	'Short Description',
	'Replace the short description of an item',
	'shortdescription',
	{ shortDescription },
);
