/** The kinds of files that Portal.io accepts, and the names under which it recognizes them. */
import type { IBinaryData } from 'n8n-workflow';
import { FieldError } from '../../fields/values';

interface Format {
	/** Further extensions of files of this kind. */
	extensions?: string[];
	/** Types of files whose names show no kind. */
	types?: string[];
}

/**
 * By the extension that Portal.io accepts (docs/dev/portal-api.md#ai-content-uploads). 3GP files are
 * not MP4: their sound is usually AMR, which MP4 does not have.
 */
const FORMATS: Record<string, Format> = {
	txt: {
		extensions: ['md', 'srt', 'vtt'],
		// `text/plain` is not among them: n8n uses it for every file whose type it does not know.
		types: ['application/x-subrip', 'text/markdown', 'text/srt', 'text/vtt'],
	},
	mp3: { extensions: ['mpga'], types: ['audio/mp3', 'audio/mpeg'] },
	mp4: { extensions: ['m4v'], types: ['video/mp4', 'video/x-m4v'] },
	mp2: {},
	aac: { types: ['audio/aac', 'audio/x-aac'] },
	wav: { types: ['audio/vnd.wave', 'audio/wav', 'audio/wave', 'audio/x-wav'] },
	flac: { types: ['audio/flac', 'audio/x-flac'] },
	pcm: { types: ['audio/l16', 'audio/pcm'] },
	m4a: {
		extensions: ['m4b'],
		types: ['audio/m4a', 'audio/mp4', 'audio/x-m4a', 'audio/x-m4b'],
	},
	ogg: { extensions: ['oga'], types: ['application/ogg', 'audio/ogg'] },
	opus: { types: ['audio/opus'] },
	webm: { extensions: ['weba'], types: ['audio/webm', 'video/webm'] },
	// Voice Memos of iPhones are QuickTime files with the extension `.qta`.
	mov: { extensions: ['qt', 'qta'], types: ['audio/quicktime', 'video/quicktime'] },
	mpeg: { types: ['video/mpeg'] },
	mpg: {},
};

/** The extension to send, by the extension of a file. */
export const sentExtensions = new Map<string, string>();
const sentByType = new Map<string, string>();
for (const [sent, { extensions = [], types = [] }] of Object.entries(FORMATS)) {
	for (const extension of [sent, ...extensions]) sentExtensions.set(extension, sent);
	for (const type of types) sentByType.set(type, sent);
}

/** Servers reject headers with longer names. */
const MAX_LENGTH = 120;

/**
 * Portal.io reads the type of a file from the extension. Characters that end a header or separate
 * folders are replaced; the name that people see is a separate field. Throws a FieldError for other
 * types.
 */
export function sentFileName(file: Partial<IBinaryData>, label: string): string {
	const { fileExtension = '', mimeType = '' } = file;
	const name = (file.fileName ?? '')
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/"/g, "'")
		.replace(/[\\/]/g, '-')
		.trim();
	// An extension has a letter: 'Tour v1.2' has none.
	const [ending = '', extension = ''] = /\.(?=\d*\p{L})([\p{L}\d]+)$/u.exec(name) ?? [];
	const type = mimeType.split(';')[0]!.trim().toLowerCase();
	// n8n adds the extension of a type that a server sent, which may be wrong, and none where it uses
	// `text/plain` for an unknown type.
	const extensionOfType = extension === '' ? fileExtension : '';
	const sent =
		sentExtensions.get(extension.toLowerCase()) ??
		sentByType.get(type) ??
		sentExtensions.get(extensionOfType.toLowerCase());
	if (sent !== undefined) {
		const base = Array.from(name.slice(0, name.length - ending.length));
		return `${base.slice(0, MAX_LENGTH).join('') || 'content'}.${sent}`;
	}
	const accepted = Object.keys(FORMATS).map((extension) => `.${extension}`);
	const list = `Portal.io accepts ${accepted.join(', ')}`;
	if (extension !== '') {
		throw new FieldError(label, `has a file of the type '.${extension}': ${list}`);
	}
	const named = name === '' ? '' : ` ('${name}')`;
	throw new FieldError(
		label,
		`has a file without an extension${named} and with the type '${mimeType}': ${list}`,
		'In the step that gets the file, give it a name with an extension.',
	);
}
