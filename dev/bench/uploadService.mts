/**
 * A simulator in a process of its own, told to its parent by its address. In the process of the
 * benchmark, n8n-core is loaded too: each full collection of that heap would hold an upload up.
 */
import { startSimulator } from '../simulator/index.mts';

const MiB = 1024 * 1024;

const { url } = await startSimulator({
	// What the HTTP Request node needs, which can send a file in one piece only.
	uploadLimits: { single: 1024 * MiB, total: 1024 * MiB, minChunk: 5 * MiB },
});
process.send!(url);
