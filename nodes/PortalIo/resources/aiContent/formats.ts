/** Chooses the extension in the name of a file, because Portal.io recognizes the type of a file by its extension. */
import type { IBinaryData } from 'n8n-workflow';
import { invalidField } from '../../fields/fieldError';

interface Format {
	/** Other extensions of the same type of file. */
	extensions?: string[];
	/** MIME types, for a file whose name has no usable extension. */
	types?: string[];
}

/**
 * Formats by the extension that Portal.io accepts (docs/dev/portal-api.md#ai-content-uploads). 3GP files are not sent
 * as MP4, because their sound is usually AMR, which MP4 does not support.
 */
const FORMATS: Record<string, Format> = {
	txt: {
		extensions: ['md', 'srt', 'vtt'],
		// `text/plain` is missing, because n8n uses it for every file whose type it does not know.
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
	// iPhones save voice memos as QuickTime files with the extension `.qta`.
	mov: { extensions: ['qt', 'qta'], types: ['audio/quicktime', 'video/quicktime'] },
	mpeg: { types: ['video/mpeg'] },
	mpg: {},
};

/** Extension to send, by the extension in the file's name. */
export const sentExtensions = new Map<string, string>();
const extensionByType = new Map<string, string>();
for (const [sentExtension, { extensions = [], types = [] }] of Object.entries(FORMATS)) {
	for (const extension of [sentExtension, ...extensions]) {
		sentExtensions.set(extension, sentExtension);
	}
	for (const type of types) extensionByType.set(type, sentExtension);
}

/** Maximum length of a name without its extension. Some servers reject a header with a longer name. */
const MAX_LENGTH = 120;

/**
 * Returns the name of a file with an extension that Portal.io accepts. Replaces characters that end a header or
 * separate folders. Users do not see this name, because Portal.io shows the name from another field. Throws an
 * InvalidFields error if Portal.io does not accept the type.
 */
export function toSentFileName(file: Partial<IBinaryData>, label: string): string {
	const { fileExtension = '', mimeType = '' } = file;
	const name = (file.fileName ?? '')
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/"/g, "'")
		.replace(/[\\/]/g, '-')
		.trim();
	// Require a letter in an extension, because `Tour v1.2` has no extension.
	const [ending = '', extension = ''] = /\.(?=\d*\p{L})([\p{L}\d]+)$/u.exec(name) ?? [];
	const type = mimeType.split(';')[0]!.trim().toLowerCase();
	// Use `fileExtension` last, because n8n derives it from the type that a server sent, which can be wrong.
	// `fileExtension` is empty if n8n uses `text/plain` for an unknown type.
	const extensionOfType = extension === '' ? fileExtension : '';
	const sentExtension =
		sentExtensions.get(extension.toLowerCase()) ??
		extensionByType.get(type) ??
		sentExtensions.get(extensionOfType.toLowerCase());
	if (sentExtension !== undefined) {
		const base = Array.from(name.slice(0, name.length - ending.length));
		return `${base.slice(0, MAX_LENGTH).join('') || 'content'}.${sentExtension}`;
	}
	const extensions = Object.keys(FORMATS).map((format) => `.${format}`);
	const list = `Portal.io accepts only ${extensions.join(', ')}`;
	if (extension !== '') {
		throw invalidField(label, `refers to a '.${extension}' file, but ${list}`);
	}
	const quotedName = name === '' ? '' : ` ('${name}')`;
	throw invalidField(
		label,
		`refers to a '${mimeType}' file with no extension${quotedName}, but ${list}`,
		'Give the file a name with an extension in the step that gets it.',
	);
}
