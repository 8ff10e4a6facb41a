import { newText, updateText } from './updateText';

/** docs/portal-api.md#areas-and-options */
export const updateClientDescription = updateText(
	'Client Description',
	'Replace what the customer reads about an option of an area',
	'clientdescription',
	{ clientDescription: newText('Client Description') },
);
