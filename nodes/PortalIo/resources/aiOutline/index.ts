import type { Resource } from '../../operation/operation';
import { generate } from './generate';
import { get } from './get';

/** The outline that is written from the content of a proposal. */
export const aiOutline: Resource = {
	name: 'AI Outline',
	description: 'A draft that Portal.io AI writes from them',
	operations: { generate, get },
};
