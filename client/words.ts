/** The one reader of what an error response says, wherever the service puts its words. */
import { isRecord, valueUnder } from './list';

/** The service's own words about an error (docs/dev/portal-api.md#errors); '' for what it does not say. */
export interface Words {
	message: string;
	errorCode: string;
	/** What is wrong with single fields. */
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
}

/** A longer text is a page. */
const MAX_MESSAGE = 500;

/** The words in the body of an error response; undefined where there are none. */
export function readWords(body: unknown): Words | undefined {
	if (typeof body === 'string') {
		const message = body.trim();
		const isMessage = /^[^<{[]/.test(message) && message.length <= MAX_MESSAGE;
		return isMessage ? { message, errorCode: '', errors: [] } : undefined;
	}
	const status = valueUnder(body, 'responseStatus');
	const either = (name: string) => textUnder(body, name) || textUnder(status, name);
	const listed = valueUnder(status, 'errors');
	const errors = (Array.isArray(listed) ? listed : []).filter(isRecord).map((one) => ({
		fieldName: textUnder(one, 'fieldName'),
		message: textUnder(one, 'message'),
		errorCode: textUnder(one, 'errorCode'),
	}));
	const words = { message: either('message'), errorCode: either('errorCode'), errors };
	return linesOf(words).length > 0 ? words : undefined;
}

function textUnder(record: unknown, name: string): string {
	const value = valueUnder(record, name);
	return typeof value === 'string' ? value.trim() : '';
}

/** The words as a user reads them, one line each, the field errors after the summary. */
export function linesOf({ message, errorCode, errors }: Words): string[] {
	const hasCode = message.includes(errorCode);
	const fields = errors.map((one) =>
		[one.fieldName, one.message || one.errorCode].filter(Boolean).join(': '),
	);
	return [
		(hasCode ? message : `${message} (${errorCode})`).trim(),
		...fields.filter((line) => line !== message),
	].filter(Boolean);
}

/** Whether a body is a web page, which the API never returns. */
export const isPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/**
 * Whether the API wrote the body of an error response: its framework writes `responseStatus`, and what is
 * documented has an `errorCode`. A gateway or proxy writes anything else.
 */
export function isFromApi(body: unknown): boolean {
	const words = readWords(body);
	if (!isRecord(body) || words === undefined) return false;
	const hasShape = isRecord(valueUnder(body, 'responseStatus')) || words.errorCode !== '';
	return hasShape && !/handler for request not found/i.test(words.message);
}

/** Whether a successful response is an error all the same. */
export const isErrorBody = (body: unknown) =>
	textUnder(valueUnder(body, 'responseStatus'), 'errorCode') !== '';
