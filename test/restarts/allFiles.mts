/**
 * Runs all files of this folder as one, because restarting an n8n instance with data takes half as long as starting a
 * new one.
 */
import { combineFiles } from '../n8n/combineFiles.mts';

combineFiles(import.meta.glob('./*.test.mts'));
