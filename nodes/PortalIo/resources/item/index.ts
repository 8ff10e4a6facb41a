/** See docs/dev/portal-api.md#items. */
import type { Resource } from '../../operation/operation';
import { add } from './add';
import { copy } from './copy';
import { deleteItems } from './delete';
import { getMany } from './getMany';
import { getSuppliers } from './getSuppliers';
import { move } from './move';
import { refreshCosts } from './refreshCosts';
import { replace } from './replace';
import { setSupplier } from './setSupplier';
import { update } from './update';

export const item: Resource = {
	name: 'Item',
	description: 'An item in a proposal',
	operations: {
		add,
		copy,
		delete: deleteItems,
		getMany,
		getSuppliers,
		move,
		refreshCosts,
		replace,
		setSupplier,
		update,
	},
};
