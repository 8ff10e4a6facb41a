import { createHash } from 'node:crypto';

import { invalid, ServiceError } from '../errors.mts';
import type { UploadLimits } from '../settings.mts';

/** What the accepted file extensions hold: specification, *Upload AI content*. */
const sourceTypes: Record<string, 'Text' | 'Audio' | 'Video'> = {
	'.txt': 'Text',
	'.mp3': 'Audio',
	'.mp4': 'Video',
	'.mp2': 'Audio',
	'.aac': 'Audio',
	'.wav': 'Audio',
	'.flac': 'Audio',
	'.pcm': 'Audio',
	'.m4a': 'Audio',
	'.ogg': 'Audio',
	'.opus': 'Audio',
	'.webm': 'Video',
	'.mov': 'Video',
	'.mpeg': 'Video',
	'.mpg': 'Video',
};

const knownFields = ['name', 'isMultiChunkUpload', 'proposalId', 'totalChunks'];

/** The message for an upload without a file, whatever its content type: specification. */
export const noFile = () => new ServiceError(400, 'No file was provided in the request.');

/** What came in, without the bytes themselves. */
export interface ReceivedUpload {
	/** The display name. */
	name: string;
	/** The field name of the file part; of chunks, without `.partN`. */
	fileName: string;
	sourceType: 'Text' | 'Audio' | 'Video';
	/** Size of the whole file. */
	bytes: number;
	/** SHA-256 of the whole file, hexadecimal. */
	sha256: string;
	isMultiChunk: boolean;
	/** The file parts in the order in which they came, by their field names. */
	parts: { name: string; bytes: number }[];
}

/**
 * Takes the parts of one upload in their order and refuses (400) as soon as one is off: specification,
 * *Upload AI content (single file)* and *(multi-chunk)*. Bytes are counted and hashed, never kept. The
 * file type is read from the field name and from nothing else.
 */
export class UploadForm {
	readonly #proposalId: number;
	readonly #isMultiChunk: boolean;
	readonly #limits: UploadLimits;
	readonly #fields = new Map<string, string>();
	readonly #parts: { name: string; bytes: number }[] = [];
	readonly #hash = createHash('sha256');
	#bytes = 0;
	#fileName = '';
	#extension = '';

	/** `isMultiChunk` is what the query says; `proposalId` is the path's. */
	constructor(proposalId: number, isMultiChunk: boolean, limits: UploadLimits) {
		this.#proposalId = proposalId;
		this.#isMultiChunk = isMultiChunk;
		this.#limits = limits;
	}

	/** A form field that is no file. The mode is set by the query; the field may only agree (assumed). */
	field(name: string, value: string): void {
		if (!knownFields.includes(name)) throw invalid(name, `Unknown form field '${name}'.`);
		if (this.#fields.has(name)) throw invalid(name, `${name} must be sent only once.`);
		this.#fields.set(name, value);
		if (name === 'isMultiChunkUpload') {
			if (value !== 'true' && value !== 'false') throw invalid(name, `${name} must be a boolean.`);
			if ((value === 'true') !== this.#isMultiChunk) {
				throw invalid(name, 'isMultiChunkUpload of the form and of the query must be the same.');
			}
		}
		if (name === 'proposalId' && value !== String(this.#proposalId)) {
			throw invalid(name, 'proposalId must equal ProposalId of the path.');
		}
		if (name === 'totalChunks' && !/^[1-9]\d{0,8}$/.test(value)) {
			throw invalid(name, 'totalChunks must be a whole number above 0.');
		}
	}

	/** The beginning of a file part, by its form field name. */
	fileBegins(fieldName: string): void {
		if (this.#isMultiChunk) this.#chunkBegins(fieldName);
		else {
			if (this.#parts.length > 0)
				throw invalid(fieldName, 'Only one file can be uploaded at a time.');
			this.#named(fieldName);
		}
		this.#parts.push({ name: fieldName, bytes: 0 });
	}

	#named(fileName: string): void {
		this.#fileName = fileName;
		this.#extension = /.(\.[^.]*)$/s.exec(fileName)?.[1] ?? '';
		if (!(this.#extension.toLowerCase() in sourceTypes)) {
			const accepted = Object.keys(sourceTypes).join(', ');
			throw invalid(
				fileName,
				`File type '${this.#extension}' is not allowed. Accepted file types: ${accepted}`,
			);
		}
	}

	#chunkBegins(fieldName: string): void {
		const number = this.#parts.length + 1;
		const suffix = `.part${number}`;
		if (!fieldName.endsWith(suffix)) {
			throw invalid(fieldName, `The field name of chunk ${number} must end in '${suffix}'.`);
		}
		const fileName = fieldName.slice(0, -suffix.length);
		if (number === 1) this.#named(fileName);
		else if (fileName !== this.#fileName) {
			throw invalid(
				fieldName,
				`All chunks must be of one file; the first is of ${this.#fileName}.`,
			);
		}
		const total = this.#fields.get('totalChunks');
		if (total !== undefined && number > Number(total)) throw this.#wrongTotal(number);
		const previous = this.#parts.at(-1);
		const { minChunk } = this.#limits;
		if (previous && previous.bytes < minChunk) {
			const message = `A chunk that is not the last must have at least ${minChunk} bytes.`;
			throw invalid(previous.name, message);
		}
	}

	#wrongTotal(number: number): ServiceError {
		const total = this.#fields.get('totalChunks');
		return invalid(
			'totalChunks',
			`totalChunks is ${total}, but chunk ${number} was sent or is last.`,
		);
	}

	/** More of the file part that began last. */
	data(chunk: Buffer): void {
		const part = this.#parts.at(-1)!;
		part.bytes += chunk.length;
		this.#bytes += chunk.length;
		const limit = this.#isMultiChunk ? this.#limits.total : this.#limits.single;
		if (this.#bytes > limit) throw tooLarge(this.#fileName, this.#isMultiChunk, limit);
		this.#hash.update(chunk);
	}

	/** The end of the form: what came, or what is missing. */
	end(): ReceivedUpload {
		if (this.#parts.length === 0) throw noFile();
		const name = this.#fields.get('name')?.trim();
		if (!name) throw invalid('name', 'The content name is required.');
		if (this.#isMultiChunk) {
			for (const field of ['proposalId', 'totalChunks']) {
				if (!this.#fields.has(field)) throw invalid(field, `${field} is required.`);
			}
			const number = this.#parts.length;
			if (Number(this.#fields.get('totalChunks')) !== number) throw this.#wrongTotal(number);
		}
		return {
			name,
			fileName: this.#fileName,
			sourceType: sourceTypes[this.#extension.toLowerCase()]!,
			bytes: this.#bytes,
			sha256: this.#hash.digest('hex'),
			isMultiChunk: this.#isMultiChunk,
			parts: this.#parts,
		};
	}
}

/** 400 for a file above the limit (bytes) of its way of being sent; `fieldName` may be unknown yet. */
export function tooLarge(fieldName: string, isMultiChunk: boolean, limit: number): ServiceError {
	const rest = isMultiChunk ? '' : ' in a single request; larger files are sent in chunks';
	return invalid(fieldName || 'file', `The file is too large: at most ${limit} bytes${rest}.`);
}
