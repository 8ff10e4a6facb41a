/** Runs all files of this folder as one, in a separate n8n instance, in parallel with the parent folder's tests. */
import { combineFiles } from '../combineFiles.mts';

combineFiles(import.meta.glob('./*.test.mts'));
