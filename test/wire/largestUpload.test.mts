/** Uploads the largest file that Portal.io accepts. This is a separate test file, so mutation tests can exclude it. */
import { afterAll, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { madeUp, removeFiles, store, uploadWith } from './files.mts';

const GiB = 1_073_741_824;

const service = restoredService();
afterAll(removeFiles);

it('uploads a file of 1 GB unchanged', async () => {
	const { content, sha256 } = madeUp(GiB);
	const file = await store(content, { fileName: 'Walk.mp3' });
	await uploadWith(service.account, file, {});
	const [upload] = service.control.uploads();
	expect(upload).toMatchObject({
		proposalId: seed.proposals.empty,
		bytes: GiB,
		sha256: sha256(),
		isMultiChunk: true,
	});
	// The file is sent in chunks of 16 MiB.
	const parts = Array.from({ length: 64 }, (_, index) => `Walk.mp3.part${index + 1}`);
	expect(upload!.parts.map(({ name }) => name)).toEqual(parts);
	expect(new Set(upload!.parts.map(({ bytes }) => bytes))).toEqual(new Set([16_777_216]));
	// Allow more time, because this takes a minute on a busy machine.
}, 300_000);
