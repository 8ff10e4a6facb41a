/** Fields that operations on items share. */
import * as collection from '../../fields/collections';
import * as field from '../../fields/kinds';

const checkResult = field.flag('Check Result', {
	description: 'Whether to stop if the proposal does not show the change',
});

/** Options of operations whose result is visible in the proposal. */
export const checkedOptions = collection.options({ checkResult });

export const placementFields = {
	createMissingArea: field.flag('Create Missing Area', {
		description: 'Whether to create the area if the proposal has none with this name',
	}),
	checkResult,
};

/** Options of operations that put items into an area option. */
export const placementOptions = collection.options(placementFields);
