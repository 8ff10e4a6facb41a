/** The one reader of what an error response says, wherever the service puts its words. */
import { isRecord, valueUnder } from './list';

/** The service's own words about an error (docs/portal-api.md#errors); '' for what it does not say. */
export interface Words {
	message: string;
	errorCode: string;
	/** What is wrong with single fields. */
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
}

/** A longer text is a page. */
const MAX_MESSAGE = 500;

/** What servers, proxies and firewalls write in place of a message; the first is an unknown route. */
const NOT_A_MESSAGE =
	/handler for request not found|page not found|default backend|upstream|error code: \d|proxy|gateway|firewall|^(\d{3} ?)?(bad request|conflict|forbidden|not found|unauthorized|(internal )?server error|service unavailable|too many requests)\.?$/i;

/**
 * The words of the service in the body of an error response: its object, the plain shape of its
 * framework, or a bare text.
 *
 * @returns undefined where there are none: then something else may have responded
 */
export function readWords(body: unknown): Words | undefined {
	if (typeof body === 'string') {
		const message = body.trim();
		const isPage = message.length > MAX_MESSAGE || /^[<{[]/.test(message);
		const isMessage = message !== '' && !isPage && !NOT_A_MESSAGE.test(message);
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

/** Whether words are about the signature, not about the user. */
export const isAboutSignature = (words: Words | undefined) =>
	words !== undefined && /signature|hash/i.test(words.message);

/** Whether a successful response is an error all the same. */
export const isErrorBody = (body: unknown) =>
	textUnder(valueUnder(body, 'responseStatus'), 'errorCode') !== '';
