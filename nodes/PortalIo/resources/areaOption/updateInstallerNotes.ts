import { newText, updateText } from './updateText';

/** docs/portal-api.md#areas-and-options */
export const updateInstallerNotes = updateText(
	'Installer Notes',
	'Replace what the installers read about an option of an area',
	'installernotes',
	{ installerNotes: newText('Installer Notes') },
);
