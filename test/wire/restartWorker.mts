/** Before each file: those of one process share n8n-core, and nothing that the package remembers. */
import { restartWorker } from '../../dev/testbed/nodeRunner.mts';

restartWorker();
