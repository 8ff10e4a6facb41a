import type { Resource } from '../../shared/operation';
import { add } from './add';
import { copy } from './copy';
import { deleteItems } from './delete';
import { getMany } from './getMany';
import { getSuppliers } from './getSuppliers';
import { move } from './move';
import { refreshCosts } from './refreshCosts';
import { replace } from './replace';
import { setSupplier } from './setSupplier';
import { updateClientNote } from './updateClientNote';
import { updateCombinedPrice } from './updateCombinedPrice';
import { updateCost } from './updateCost';
import { updateImage } from './updateImage';
import { updateMsrp } from './updateMsrp';
import { updateQuantity } from './updateQuantity';
import { updateRecurringService } from './updateRecurringService';
import { updateSellPrice } from './updateSellPrice';
import { updateShortDescription } from './updateShortDescription';
import { updateTaxExempt } from './updateTaxExempt';

/** The items of a proposal: parts, labor, custom items and fees. */
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
		updateClientNote,
		updateCombinedPrice,
		updateCost,
		updateImage,
		updateMsrp,
		updateQuantity,
		updateRecurringService,
		updateSellPrice,
		updateShortDescription,
		updateTaxExempt,
	},
};
