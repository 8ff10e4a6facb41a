import type { Resource } from '../../operation/operation';
import { deleteContent } from './delete';
import { getMany } from './getMany';
import { upload } from './upload';

/** What a proposal can be built from: recordings and texts. */
export const aiContent: Resource = {
	name: 'AI Content',
	description: 'Recordings and notes that Portal.io AI reads',
	operations: { delete: deleteContent, getMany, upload },
};
