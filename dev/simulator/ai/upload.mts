import { createHash } from 'node:crypto';
import { invalid, ServiceError } from '../errors.mts';
import type { UploadLimits } from '../settings.mts';

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

/** 400 for an upload without a file, whatever its content type. */
export const noFile = () => new ServiceError(400, 'No file was provided in the request.');

export interface ReceivedUpload {
	name: string;
	/** The field name of the file part; of chunks, without `.partN`. */
	fileName: string;
	sourceType: 'Text' | 'Audio' | 'Video';
	bytes: number;
	sha256: string;
	isMultiChunk: boolean;
	/** The file parts in order of arrival, by their field names. */
	parts: { name: string; bytes: number }[];
}

/**
 * Checks the parts of one upload in order and refuses it (400) at the first invalid one. Bytes are
 * counted and hashed, never kept. Only the field name of the file decides its type.
 */
export class UploadForm {
	private readonly proposalId: number;
	private readonly isMultiChunk: boolean;
	private readonly limits: UploadLimits;
	private readonly fields = new Map<string, string>();
	private readonly parts: { name: string; bytes: number }[] = [];
	private readonly hash = createHash('sha256');
	private bytes = 0;
	private fileName = '';
	private extension = '';

	/** `isMultiChunk` comes from the query, `proposalId` from the path. */
	constructor(proposalId: number, isMultiChunk: boolean, limits: UploadLimits) {
		this.proposalId = proposalId;
		this.isMultiChunk = isMultiChunk;
		this.limits = limits;
	}

	/**
	 * Takes a form field that is not a file, its name in any case. The query sets the mode; the field
	 * must agree (assumed).
	 */
	field(givenName: string, value: string): void {
		const name = givenName.toLowerCase();
		this.fields.set(name, value);
		if (name === 'ismultichunkupload' && value !== String(this.isMultiChunk)) {
			throw invalid(givenName, 'isMultiChunkUpload of the form and of the query must be the same.');
		}
		if (name === 'proposalid' && value !== String(this.proposalId)) {
			throw invalid(givenName, 'proposalId must equal ProposalId of the path.');
		}
		if (name === 'totalchunks' && !/^[1-9]\d{0,8}$/.test(value)) {
			throw invalid(givenName, 'totalChunks must be a whole number above 0.');
		}
	}

	fileBegins(fieldName: string): void {
		if (this.isMultiChunk) this.chunkBegins(fieldName);
		else {
			if (this.parts.length > 0)
				throw invalid(fieldName, 'Only one file can be uploaded at a time.');
			this.named(fieldName);
		}
		this.parts.push({ name: fieldName, bytes: 0 });
	}

	private named(fileName: string): void {
		this.fileName = fileName;
		this.extension = /.(\.[^.]*)$/s.exec(fileName)?.[1] ?? '';
		if (!(this.extension.toLowerCase() in sourceTypes)) {
			const accepted = Object.keys(sourceTypes).join(', ');
			throw invalid(
				fileName,
				`File type '${this.extension}' is not allowed. Accepted file types: ${accepted}`,
			);
		}
	}

	private chunkBegins(fieldName: string): void {
		const number = this.parts.length + 1;
		const suffix = `.part${number}`;
		if (!fieldName.endsWith(suffix)) {
			throw invalid(fieldName, `The field name of chunk ${number} must end in '${suffix}'.`);
		}
		const fileName = fieldName.slice(0, -suffix.length);
		if (number === 1) this.named(fileName);
		else if (fileName !== this.fileName) {
			throw invalid(fieldName, `All chunks must be of one file; the first is of ${this.fileName}.`);
		}
		const total = this.fields.get('totalchunks');
		if (total !== undefined && number > Number(total)) throw this.wrongTotal(number);
		const previous = this.parts.at(-1);
		const { minChunk } = this.limits;
		if (previous && previous.bytes < minChunk) {
			const message = `A chunk that is not the last must have at least ${minChunk} bytes.`;
			throw invalid(previous.name, message);
		}
	}

	private wrongTotal(number: number): ServiceError {
		const total = this.fields.get('totalchunks');
		return invalid(
			'totalChunks',
			`totalChunks is ${total}, but chunk ${number} was sent or is last.`,
		);
	}

	data(chunk: Buffer): void {
		const part = this.parts.at(-1)!;
		part.bytes += chunk.length;
		this.bytes += chunk.length;
		const limit = this.isMultiChunk ? this.limits.total : this.limits.single;
		if (this.bytes > limit) {
			const rest = this.isMultiChunk ? '' : ' in a single request; larger files are sent in chunks';
			throw invalid(this.fileName, `The file is too large: at most ${limit} bytes${rest}.`);
		}
		this.hash.update(chunk);
	}

	/** Ends the form: returns what was received, or refuses what is missing. */
	end(): ReceivedUpload {
		if (this.parts.length === 0) throw noFile();
		const name = this.fields.get('name')?.trim();
		if (!name) throw invalid('name', 'The content name is required.');
		if (this.isMultiChunk) {
			for (const field of ['proposalId', 'totalChunks']) {
				if (!this.fields.has(field.toLowerCase())) throw invalid(field, `${field} is required.`);
			}
			const number = this.parts.length;
			if (Number(this.fields.get('totalchunks')) !== number) throw this.wrongTotal(number);
		}
		return {
			name,
			fileName: this.fileName,
			sourceType: sourceTypes[this.extension.toLowerCase()]!,
			bytes: this.bytes,
			sha256: this.hash.digest('hex'),
			isMultiChunk: this.isMultiChunk,
			parts: this.parts,
		};
	}
}
