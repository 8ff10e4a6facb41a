/** Runs all files of this folder as one, in a separate n8n instance, in parallel with the folder above. */
import { combineFiles } from '../combineFiles.mts';

combineFiles(import.meta.glob('./*.test.mts'));
