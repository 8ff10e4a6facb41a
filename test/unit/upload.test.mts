/** Tests the files, names, and forms that an upload sends (docs/dev/portal-api.md#ai-content-uploads). */
import { expect, it } from 'vitest';
import { plainValues } from '../../dev/scripts/recordedCall.mts';
import { readExamples } from '../../dev/testbed/workflows.mts';
import {
	sentExtensions,
	toSentFileName,
} from '../../nodes/PortalIo/resources/aiContent/formats.ts';
import { createForm, planChunks, upload } from '../../nodes/PortalIo/resources/aiContent/upload.ts';

const MB = 1_000_000;
const MiB = 1_048_576;

it.each<[bytes: number, pieces: number[], chunkSize?: number]>([
	[1, [1]],
	[25 * MB, [25 * MB]],
	[25 * MB + 1, [8 * MiB, 8 * MiB, 25 * MB + 1 - 16 * MiB]],
	[25 * MiB + 1, [8 * MiB, 8 * MiB, 8 * MiB, 1 * MiB + 1]],
	[500 * MiB, [...Array<number>(62).fill(8 * MiB), 4 * MiB]],
	[500 * MiB + 1, [...Array<number>(31).fill(16 * MiB), 4 * MiB + 1]],
	[1000 * MB, [...Array<number>(59).fill(16 * MiB), 1000 * MB - 59 * 16 * MiB]],
	// Use the chunk size that the user entered.
	[26 * MiB, [...Array<number>(5).fill(5 * MiB), 1 * MiB], 5],
	[24 * MB, [24 * MB], 5],
	// Chunks have at most 25 MB, not 25 MiB.
	[25 * MB + 1, [25 * MB, 1], 25],
	[60 * MB, [25 * MB, 25 * MB, 10 * MB], 25],
	[50 * MB, [25 * MB, 25 * MB], 25],
	// 12.34 × 1,048,576 is 12,939,427.84.
	[30 * MB, [12_939_428, 12_939_428, 4_121_144], 12.34],
])('splits a file of %i bytes into %j with the chunk size %s', (bytes, pieces, chunkSize) =>
	expect(planChunks(bytes, chunkSize)).toEqual(pieces),
);

/** Returns the form for a file and the user's other values. */
async function formOf(file: object, given: object = {}) {
	const values = await plainValues(upload, { proposalId: 42, ...given });
	return createForm({ ...values, binaryPropertyName: { fileName: 'Walk.mp3', ...file } } as never);
}

it('writes the form of a split file with the name, proposal ID, and number of chunks, in this order', async () => {
	const additionalFields = { name: 'Ground floor' };
	const { query, fields, files } = await formOf({ bytes: 26 * MiB }, { additionalFields });
	expect(query).toEqual({ isMultiChunkUpload: true });
	expect(Object.entries(fields)).toEqual([
		['name', 'Ground floor'],
		['proposalId', '42'],
		['totalChunks', '4'],
	]);
	expect(files).toEqual([
		{ name: 'Walk.mp3.part1', bytes: 8 * MiB },
		{ name: 'Walk.mp3.part2', bytes: 8 * MiB },
		{ name: 'Walk.mp3.part3', bytes: 8 * MiB },
		{ name: 'Walk.mp3.part4', bytes: 2 * MiB },
	]);
});

it.each([
	['5', 6],
	['25', 2],
])('splits a file of 26 MiB into chunks of %s MB: %i', async (chunkSize, count) => {
	const { files } = await formOf({ bytes: 26 * MiB }, { options: { chunkSize } });
	expect(files).toHaveLength(count);
});

it.each([
	['0 bytes', 0, "' refers to an empty file"],
	[
		'more than 1 GB',
		1024 * MiB + 1,
		'of 1,073,741,825 bytes, but Portal.io accepts up to 1 GB (1,073,741,824 bytes)',
	],
] as const)('rejects a file of %s', async (_, bytes, message) => {
	await expect(formOf({ bytes })).rejects.toThrow(message);
	expect((await formOf({ bytes: 1024 * MiB })).files.length).toBeGreaterThan(0);
});

it.each([
	[' Walk.mp3 ', 'Walk.mp3'],
	[' ', 'content.mp3'],
	[undefined, 'content.mp3'],
])('uses the file name as the name of content: %j', async (fileName, name) => {
	const file = { fileName, mimeType: 'audio/mpeg', bytes: 1 };
	expect((await formOf(file)).fields).toEqual({ name });
});

it.each([
	['file_12.oga', 'audio/ogg', 'file_12.ogg'],
	['call.mpga', 'audio/mpeg; charset=binary', 'call.mp3'],
	['tour.m4v', 'text/plain', 'tour.mp4'],
	['memo.weba', 'audio/webm', 'memo.webm'],
	['tour.qt', 'video/quicktime', 'tour.mov'],
	['tour.MOV', 'text/plain', 'tour.mov'],
	['Kitchen.QTA', 'application/octet-stream', 'Kitchen.mov'],
	['call.vtt', 'text/vtt', 'call.txt'],
	['call.srt', 'text/plain', 'call.txt'],
	['notes.md', 'application/octet-stream', 'notes.txt'],
	['call', 'Text/VTT; charset=utf-8', 'call.txt'],
	['tour.m4b', 'text/plain', 'tour.m4a'],
	['Tour v1.2', 'audio/wav', 'Tour v1.2.wav'],
	['tour.mov backup', ' video/quicktime ;x', 'tour.mov backup.mov'],
	['a\u0001\u0002b/c\\"d".wav', undefined, "a b-c-'d'.wav"],
	[`${'a'.repeat(121)}.wav`, undefined, `${'a'.repeat(120)}.wav`],
])('sends a file named %j with the type %j as %j', (fileName, mimeType, sent) =>
	expect(toSentFileName({ fileName, mimeType }, 'File')).toBe(sent),
);

it.each([
	['text/markdown text/srt text/vtt application/x-subrip', 'txt'],
	['audio/mp3 audio/mpeg', 'mp3'],
	['video/mp4 video/x-m4v', 'mp4'],
	['audio/aac audio/x-aac', 'aac'],
	['audio/vnd.wave audio/wav audio/wave audio/x-wav', 'wav'],
	['audio/flac audio/x-flac', 'flac'],
	['audio/l16 audio/pcm', 'pcm'],
	['audio/m4a audio/mp4 audio/x-m4a audio/x-m4b', 'm4a'],
	['application/ogg audio/ogg', 'ogg'],
	['audio/opus', 'opus'],
	['audio/webm video/webm', 'webm'],
	['audio/quicktime video/quicktime', 'mov'],
	['video/mpeg', 'mpeg'],
])('sends a file that has no extension and one of the types %s as .%s', (types, extension) => {
	for (const mimeType of types.split(' ')) {
		expect(toSentFileName({ fileName: 'walk', mimeType }, 'File')).toBe(`walk.${extension}`);
	}
});

it.each([
	[
		'clip.3gp',
		'video/3gpp',
		"'File' refers to a '.3gp' file, but Portal.io accepts only .txt, .mp3,",
	],
	['backup.7z', 'text/plain', "'File' refers to a '.7z' file, but Portal.io accepts only"],
	['clip', 'video/3gpp', "refers to a 'video/3gpp' file with no extension ('clip'), but"],
	['Tour v1.2', 'text/plain', "refers to a 'text/plain' file with no extension ('Tour v1.2'), but"],
	[undefined, undefined, "refers to a '' file with no extension"],
])('rejects a file named %j with the type %j', (fileName, mimeType, message) =>
	expect(() => toSentFileName({ fileName, mimeType }, 'File')).toThrow(message),
);

it('treats a file as plain text only if n8n provides the extension', () => {
	const transcript = { fileName: 'Transcript', mimeType: 'text/plain' };
	expect(toSentFileName({ ...transcript, fileExtension: 'txt' }, 'File')).toBe('Transcript.txt');
	expect(() => toSentFileName(transcript, 'File')).toThrow('with no extension');
});

it('prefers the type of a file without an extension over the extension from n8n', () => {
	const file = { fileName: 'walk', mimeType: 'audio/mpeg', fileExtension: 'wav' };
	expect(toSentFileName(file, 'File')).toBe('walk.mp3');
	expect(toSentFileName({ ...file, mimeType: 'x/y' }, 'File')).toBe('walk.wav');
	const plan = { fileName: 'plan.dwg', mimeType: 'text/plain', fileExtension: 'txt' };
	expect(() => toSentFileName(plan, 'File')).toThrow("refers to a '.dwg' file");
});

it('accepts the same extensions as the recording form of the examples', async () => {
	const forms = (await readExamples())
		.flatMap(({ nodes }) => nodes)
		.filter(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const lists = forms.flatMap(({ parameters }) => {
		const { values } = parameters.formFields as { values: Record<string, string>[] };
		const fields = values.filter(({ fieldLabel }) => fieldLabel === 'Recording');
		return fields.map(({ acceptFileTypes }) => acceptFileTypes!.split(', ').sort());
	});
	const accepted = [...sentExtensions.keys()].map((extension) => `.${extension}`).sort();
	expect(lists).toEqual([accepted]);
});
