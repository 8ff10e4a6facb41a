import type { Resource } from '../../shared/operation';
import { add } from './add';
import { getMany } from './getMany';
import * as oneValue from './oneValue';
import { refreshCosts } from './refreshCosts';
import { replace } from './replace';
import { copy, deleteItems, move } from './several';
import { getSuppliers, setSupplier } from './suppliers';

/** The items of a proposal: parts, labor, custom items and fees (specification, *AreaItem*). */
export const item: Resource = {
	name: 'Item',
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
		...oneValue,
	},
};
