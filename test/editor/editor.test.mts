/** All that is done in n8n's editor: one file, for one n8n with its editor, and one browser. */
import { together } from '../n8n/together.mts';

together({
	firstWorkflow: () => import('./firstWorkflow.mts'),
	dealer: () => import('./dealer.mts'),
	imports: () => import('./imports.mts'),
});
