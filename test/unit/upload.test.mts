/** The form of an upload, from plain facts. Expected: docs/portal-api.md#ai-content-uploads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTENSIONS, sentFileName } from '../../nodes/PortalIo/resources/aiContent/fileName.ts';
import { formFor, upload } from '../../nodes/PortalIo/resources/aiContent/upload.ts';

const MiB = 1_048_576;
const form = (parameters: object, file: object) =>
	formFor(
		upload.read({ proposalId: 42, ...parameters }, { timezone: 'UTC' }) as never,
		{
			fileName: 'Walk.mp3',
			mimeType: 'audio/mpeg',
			bytes: 1,
			...file,
		} as never,
	);

describe('the form of an upload', () => {
	it('of a file that goes in one piece has a name and the file, in this order', () => {
		expect(form({}, {})).toEqual({
			fields: { name: 'Walk.mp3' },
			files: [{ name: 'Walk.mp3', bytes: 1 }],
		});
	});

	it('of a file that is cut has what the service asks for besides, in this order', () => {
		const { query, fields, files } = form(
			{ additionalFields: { name: 'Ground floor' } },
			{ bytes: 26 * MiB },
		);
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

	it('is not made for a proposal that is none', () => {
		expect(() => form({ proposalId: '../1' }, {})).toThrow("'Proposal' must be an ID");
	});
});

describe('the name of a sent file', () => {
	it.each(EXTENSIONS)('may end in .%s', (extension) => {
		const fileName = `A walk.${extension}`;
		expect(sentFileName({ fileName }, 'File')).toBe(fileName);
		expect(sentFileName({ fileName: fileName.toUpperCase() }, 'File')).toBe(`A WALK.${extension}`);
	});

	it('is short and harmless, whatever the name was', () => {
		const letters = fc.oneof(
			fc.constantFrom('"', '\r', '\n', '\\', '/', '\0', '\u0085', '.', ';', '😀', 'ü'),
			fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
		);
		fc.assert(
			fc.property(fc.string({ unit: letters, maxLength: 200 }), (base) => {
				const name = sentFileName({ fileName: `${base}.wav` }, 'File');
				expect(name).toMatch(/.\.wav$/su);
				expect(name).not.toMatch(/["\\/\p{Cc}]/u);
				expect([...name].length).toBeLessThanOrEqual(124);
			}),
		);
	});
});
