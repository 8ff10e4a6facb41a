/** Runs all files of this folder as one, in an n8n of their own, in parallel with the folder above. */
import { combineFiles } from '../combineFiles.mts';

combineFiles(import.meta.glob('./*.test.mts'));
