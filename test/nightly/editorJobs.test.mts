/** A dealer's jobs, built in n8n's editor, and the examples as they are imported: one n8n and one browser. */
import { together } from '../n8n/together.mts';

together({
	dealer: () => import('../editor/dealer.mts'),
	imports: () => import('../editor/imports.mts'),
});
