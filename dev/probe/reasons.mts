/** Why an endpoint is not confirmed, in words without a value of the account. */
import { shownName } from './contract.mts';
import type { Answer } from './model.mts';

export const READ_ONLY = 'It changes something, and --read-only allows only reads.';
export const NEEDS_AI = 'It needs the option --ai.';
/** Why a run was not asked to try an endpoint: no failure. */
export const LEFT_OUT = [READ_ONLY, NEEDS_AI];

/** Statuses that no other name or format changes. */
const FINAL: Record<number, string> = {
	0: 'The response could not be read.',
	401: 'Refused with status 401, also with a new key.',
	403: 'Refused with status 403: this user does not have the permission.',
	409: 'Refused with status 409: the state of the proposal does not allow it.',
};

export const isFinal = ({ status }: Answer) => status in FINAL || status >= 500;

export const reasonForFinal = ({ status }: Answer) =>
	FINAL[status] ?? `The service failed with status ${status}.`;

export function reasonOf({
	status,
	isSuccess,
	isMissingRoute,
	errorCode,
	errorFields,
}: Answer): string {
	if (isMissingRoute) return 'The service does not have this path.';
	if (isSuccess) return 'Accepted without effect, whatever was tried.';
	const code = errorCode === '' ? '' : ` (${shownName(errorCode)})`;
	const fields = [...new Set(errorFields.map((one) => one.replace(/\[\d*\]/g, '[]')))]
		.filter((one) => /^[\w[\].]+$/.test(one))
		.join(', ');
	const about = fields === '' ? '' : ` The error names ${fields}.`;
	return `Refused with status ${status}${code}, whatever was tried.${about}`;
}
