import { flag, options } from '../../fields/types';
import { checkedFields } from '../../operation/bodyOverrides';

/** The options of an operation that puts items on an area option, which may be given by its area's name. */
export const placementOptions = options({
	...checkedFields,
	createMissingArea: flag('Create Missing Area', {
		description:
			'Whether to create the area that is given by name, if the proposal does not have it',
	}),
});
