/**
 * Runs all files of this folder as one. Vitest would spread them over its workers, and each worker would start
 * its own n8n, which takes longer than most tests.
 */
import { combineFiles } from './combineFiles.mts';

combineFiles(import.meta.glob('./*.test.mts'));
