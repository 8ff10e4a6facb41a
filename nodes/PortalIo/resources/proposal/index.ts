import type { Resource } from '../kit';
import { assignContact, assignLocation } from './assign';
import { create } from './create';
import { duplicate } from './duplicate';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const proposal: Resource = {
	name: 'Proposal',
	description: 'A proposal to a client',
	operations: {
		assignContact,
		assignLocation,
		create,
		duplicate,
		get,
		getMany,
		update,
	},
};
