/**
 * All files of this folder as one. Vitest would spread them over its workers, and each worker would
 * start an n8n, which takes longer than most tests.
 */
import { together } from './together.mts';

together(import.meta.glob('./*.test.mts'));
