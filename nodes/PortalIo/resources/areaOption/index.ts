import type { Resource } from '../../shared/operation';
import { create } from './create';
import { updateClientDescription, updateInstallerNotes } from './texts';

/** The options of an area, of which the customer takes one (specification, *AreaOption*). */
export const areaOption: Resource = {
	name: 'Area Option',
	operations: { create, updateClientDescription, updateInstallerNotes },
};
