/** Reads what the service sends, and tells an unknown route from an unknown record. */
import { createRequire } from 'node:module';
import type { Answer, ProbeRequest } from './model.mts';

const load = createRequire(import.meta.url);
const { isHttpError } = load('../dist/client/http/httpError.js');

/** A response, or why there was none, as the client reads it. */
export type Read = {
	status: number | string;
	code?: string;
	headers: Record<string, unknown>;
	data?: unknown;
	isTooLarge?: boolean;
};

/** The members of an error that are read. */
interface ServiceError {
	message?: string;
	responseStatus?: { message?: string; errors?: { fieldName?: string; message?: string }[] };
}

/** A message without what depends on the request: method, path, query and numbers. */
const withoutRequest = (message: string, { method, path }: ProbeRequest) =>
	message
		.replaceAll(path, '')
		.replace(new RegExp(`\\b${method}\\b`, 'g'), '')
		.replace(/\?\S*|[\d\s\p{P}]+/gu, ' ')
		.trim();

/** Where the framework describes itself. */
const DESCRIPTIONS = /^\/(metadata|types|openapi|swagger)\b/;

/** An error has words, and a description has names: both are needed, and neither is a record. */
const holdsRecords = ({ path }: ProbeRequest, status: number) =>
	status < 400 && !DESCRIPTIONS.test(path);

/** Remembers what it has read, so that none of it reaches the report. */
export class AnswerReader {
	/** Every text in the service's records, and those given. */
	readonly texts: Set<string>;
	/** What an unknown route looks like. */
	private missing: { status: number; isError: boolean; words: string } | undefined;

	/** @param texts gets what was read */
	constructor(secrets: readonly string[], texts = new Set<string>()) {
		this.texts = texts;
		for (const secret of secrets) texts.add(secret);
	}

	forgetMissingRoute(): void {
		this.missing = undefined;
	}

	learnMissingRoute({ status, data, message }: Answer, request: ProbeRequest): void {
		const words = withoutRequest(message, request);
		this.missing = { status, isError: isHttpError(data), words };
	}

	/** The status is 0 when nothing could be read. */
	read(read: Read, request: ProbeRequest): Answer {
		const { headers, data = '' } = read;
		const status = read.code === undefined ? Number(read.status) : 0;
		if (holdsRecords(request, status)) this.remember(data);
		const isError: boolean = isHttpError(data);
		const { message = '', responseStatus } = (isError ? data : {}) as ServiceError;
		const text = typeof data === 'string' ? data : '';
		const words = String(responseStatus?.message || message || text);
		const errors = Array.isArray(responseStatus?.errors) ? responseStatus.errors : [];
		return {
			status,
			headers,
			data,
			isMissingRoute: this.isMissingRoute(status, isError, withoutRequest(words, request)),
			fieldErrors: errors.map((one) => ({
				fieldName: String(one?.fieldName ?? ''),
				message: String(one?.message ?? ''),
			})),
			message: read.isTooLarge ? 'The response is too large to read.' : words,
		};
	}

	/** Without an example of an unknown route, an error without the body of an error counts as one. */
	private isMissingRoute(status: number, isError: boolean, words: string): boolean {
		const { missing } = this;
		if (status === 405 && !isError) return true;
		if (missing === undefined) return status === 404 && !isError;
		return status === missing.status && isError === missing.isError && words === missing.words;
	}

	private remember(data: unknown): void {
		if (typeof data !== 'object' || data === null) return;
		for (const value of Object.values(data)) {
			if (typeof value === 'string') this.texts.add(value);
			else this.remember(value);
		}
	}
}
