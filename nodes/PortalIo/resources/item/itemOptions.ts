import { flag, options } from '../../fields/types';

/** Whether the result is looked for in the proposal (checkResult.ts). */
const checkResult = flag('Check Result', {
	description: 'Whether to fail if the response of Portal.io does not show the change',
});

/** The options of an operation whose result can be seen in the proposal. */
export const checkedOptions = options({ checkResult });

/** The same where items go to an area option, which may be given by its area's name. */
export const placementOptions = options({
	checkResult,
	createMissingArea: flag('Create Missing Area', {
		description:
			'Whether to create the area that is given by name, if the proposal does not have it',
	}),
});
