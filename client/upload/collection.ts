/** In an array, each takes eight bytes; this many make one of 64 KiB, still among the young objects. */
const REFERENCES = 8 * 1024;
const ARRAY_BYTES = 8 * REFERENCES;

const model = new Array<number>(REFERENCES).fill(0);

/** What was made last, so that no optimisation leaves out making it. */
const made: { latest?: unknown[] } = {};

/**
 * Makes, of objects that nobody needs, as many bytes as were read of a file.
 *
 * Each piece of a file comes in a buffer outside the heap, which goes with the first collection after
 * its use. V8 has a quick one for young objects, and begins it when enough of them were made; and a
 * full one, and begins that when buffers of 64 MB are held. A file that streams through makes hardly
 * any objects, so it always came to the full one: for every 64 MB 150 ms of n8n's main thread, with
 * its large heap, which is more than all the rest of the upload. With these objects the quick one
 * comes first, at the latest every 48 MB, and takes a few milliseconds (docs/benchmarks.md, *Upload*).
 */
export function hastenQuickCollection(bytesRead: number): void {
	for (let bytes = 0; bytes < bytesRead; bytes += ARRAY_BYTES) {
		// Copied: what an expression like `new Array` makes is no longer made among the young objects
		// once V8 has taken it for one that makes what lives long.
		made.latest = model.slice();
	}
	// What outlives a collection is not made among the young objects for long.
	made.latest = undefined;
}
