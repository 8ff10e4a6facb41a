/** All files of this folder as one: to start an n8n that has data takes half as long as a new one. */
import { together } from '../n8n/together.mts';

together(import.meta.glob('./*.test.mts'));
