import type { Resource } from '../../shared/operation';
import { assignContact } from './assignContact';
import { assignLocation } from './assignLocation';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';
import { updateDescription } from './updateDescription';
import { updateInternalNotes } from './updateInternalNotes';

/** Proposals (specification, *Proposal detail*). */
export const proposal: Resource = {
	name: 'Proposal',
	operations: {
		assignContact,
		assignLocation,
		create,
		get,
		getMany,
		update,
		updateDescription,
		updateInternalNotes,
	},
};
