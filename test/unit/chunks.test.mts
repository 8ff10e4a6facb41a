/** Expected values: docs/dev/portal-api.md#ai-content-uploads; see chunks.ts for what a megabyte is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES, planChunks } from '../../nodes/PortalIo/resources/aiContent/file.ts';

const MB = 1_000_000;
const MiB = 1_048_576;
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

describe('a file is cut', () => {
	it.each([1, 5 * MB, 25 * MB])('cuts a file not at all with %i bytes', (size) =>
		expect(planChunks(size)).toEqual([size]),
	);

	it.each([
		[25 * MB + 1, 8 * MiB, 3, 25 * MB + 1 - 2 * 8 * MiB],
		[25 * MiB, 8 * MiB, 4, 1 * MiB],
		[25 * MiB + 1, 8 * MiB, 4, 1 * MiB + 1],
		[32 * MiB, 8 * MiB, 4, 8 * MiB],
		[500 * MiB, 8 * MiB, 63, 4 * MiB],
		[500 * MiB + 1, 16 * MiB, 32, 4 * MiB + 1],
		[1000 * MB, 16 * MiB, 60, 1000 * MB - 59 * 16 * MiB],
		[1024 * MiB, 16 * MiB, 64, 16 * MiB],
	])(
		'cuts a file of %i bytes into pieces of %i, %i of them, the last of %i',
		(size, each, count, last) => {
			const chunks = planChunks(size);
			expect(chunks).toHaveLength(count);
			expect(chunks.at(-1)).toBe(last);
			expect(new Set(chunks.slice(0, -1))).toEqual(new Set([each]));
			expect(sum(chunks)).toBe(size);
		},
	);

	it('cuts a file as the user says, where it is cut', () => {
		expect(planChunks(26 * MiB, 5)).toEqual([...Array(5).fill(5 * MiB), 1 * MiB]);
		expect(planChunks(24 * MB, 5)).toEqual([24 * MB]);
	});

	it('cuts into pieces of 25 MB at most, also where 25 MiB would do for all of it', () => {
		expect(planChunks(25 * MB + 1, 25)).toEqual([25 * MB, 1]);
		expect(planChunks(60 * MB, 25)).toEqual([25 * MB, 25 * MB, 10 * MB]);
	});

	it('keeps either reading of the limits with a file of any size', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: MAX_FILE_BYTES }),
				fc.option(fc.double({ min: 5, max: 25, noNaN: true }), { nil: undefined }),
				(size, chunkSize) => {
					const chunks = planChunks(size, chunkSize);
					expect(sum(chunks)).toBe(size);
					expect(chunks.every((chunk) => Number.isInteger(chunk) && chunk > 0)).toBe(true);
					expect(chunks.slice(0, -1).every((chunk) => chunk >= 5 * MiB)).toBe(true);
					expect(chunks.every((chunk) => chunk <= 25 * MB)).toBe(true);
					expect(chunks.length === 1).toBe(size <= 25 * MB);
				},
			),
			{ numRuns: 1000 },
		);
	});
});
