/** The page of the first workflow, followed word by word in n8n's editor. */
import { together } from '../n8n/together.mts';

together({ firstWorkflow: () => import('./firstWorkflow.mts') });
