import type { Resource } from '../../shared/operation';
import { create } from './create';
import { updateClientDescription } from './updateClientDescription';
import { updateInstallerNotes } from './updateInstallerNotes';

/** The options of an area; the customer chooses one. */
export const areaOption: Resource = {
	name: 'Area Option',
	operations: { create, updateClientDescription, updateInstallerNotes },
};
