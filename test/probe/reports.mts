/** Reports to try on. */
import { endpoints } from '../../probe/contract.mts';
import type { EndpointReport, Report } from '../../probe/model.mts';

/** A report in which everything is confirmed but what is given. */
export function reportWith(
	others: Partial<EndpointReport>[] = [],
	more: Partial<Report> = {},
): Report {
	return {
		service: 'https://sandbox.api.portal.io',
		startedAt: '2026-11-22T16:45:12.000Z',
		seconds: 58,
		requests: 231,
		endpoints: endpoints.map(({ method, path, operation }) => ({
			method,
			path,
			operation,
			verdict: 'confirmed' as const,
			...others.find((one) => one.operation === operation),
		})),
		facts: {},
		left: [],
		changes: [],
		...more,
	};
}
