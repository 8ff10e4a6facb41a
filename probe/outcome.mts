/** What is reported of an attempt. */
import { isSuccess, type Attempt } from './attempt.mts';
import { compareWithContract, type Endpoint } from './contract.mts';
import { fieldsOf } from './fields.mts';
import type { EndpointReport } from './model.mts';
import { correctionOf } from './way.mts';

/** The note of what was accepted, and changed nothing. */
export const WITHOUT_EFFECT = 'accepted without effect';

/** Verdict, request, response and correction of an endpoint, as its last attempt shows them. */
export function describeAttempt(
	endpoint: Endpoint,
	{ way, values, answer, tookEffect }: Attempt,
	words: (message: string, names: string[]) => string = () => '',
): Omit<EndpointReport, 'method' | 'path' | 'operation'> {
	const { status } = answer;
	const fields = Object.fromEntries(fieldsOf(values).map(({ path, type }) => [path, type]));
	const request = { format: endpoint.format, fields };
	if (!isSuccess(answer)) {
		const names = answer.fieldErrors.map(({ fieldName }) => fieldName);
		const shown = words(answer.message, names);
		const what = status === 0 ? 'the response could not be read' : `status ${status}`;
		return {
			verdict: answer.isMissingRoute ? 'missing' : 'refused',
			request,
			response: { status, added: [], absent: [], types: [] },
			note: `${what}${shown === '' ? '' : `: ${shown}`}`,
		};
	}
	const response = { status, ...compareWithContract(endpoint, answer.data) };
	if (!tookEffect) {
		return { verdict: 'differs', request, response, note: WITHOUT_EFFECT };
	}
	const correction = correctionOf(endpoint, way);
	const isExpected = response.absent.length === 0 && response.types.length === 0;
	return {
		verdict: correction === undefined && isExpected ? 'confirmed' : 'differs',
		request,
		response,
		...(correction === undefined ? {} : { correction }),
	};
}
