import { flag, options } from '../../fields/types';

/** Whether the result is looked for in the proposal (checkResult.ts). */
const checkResult = flag('Check Result', {
	description: 'Whether to fail if the response of Portal.io does not show the change',
});

/** The options of an operation whose result can be seen in the proposal. */
export const checkedOptions = options({ checkResult });

const placementFields = {
	checkResult,
	createMissingArea: flag('Create Missing Area', {
		description:
			'Whether to create the area that is given by name, if the proposal does not have it',
	}),
};

/** The same where items go to an area option, which may be given by its area's name. */
export const placementOptions = options(placementFields);

/** The same where items are added. */
export const additionOptions = options({
	...placementFields,
	skipIfPresent: flag('Skip If Present', {
		description:
			'Whether to leave out each item that the area option already has with the same quantity. The output contains the item that is there. With another quantity, the step fails before anything is added.',
	}),
});
