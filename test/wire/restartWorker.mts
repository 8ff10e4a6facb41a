/** Clears what the package remembers, because several test files share a process. */
import { restartWorker } from '../../dev/testbed/nodeRunner.mts';

restartWorker();
