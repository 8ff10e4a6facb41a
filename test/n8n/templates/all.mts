/** All files of this folder as one, in an n8n of their own, which runs beside that of the folder above. */
import { together } from '../together.mts';

together(import.meta.glob('./*.test.mts'));
