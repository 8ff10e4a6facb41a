import { clearableText } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const imageUrl = clearableText('Image URL', {
	description: 'The address of the new picture; empty removes it',
});

/** docs/portal-api.md#items */
export const updateImage = setValue(
	'Image',
	'Replace the picture of an item that the customer sees',
	'image',
	{ imageUrl },
);
