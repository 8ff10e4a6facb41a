/** Follows the page *First workflow* in n8n's editor, word for word. */
import { combineFiles } from '../n8n/combineFiles.mts';

combineFiles({ firstWorkflow: () => import('./firstWorkflow.mts') });
