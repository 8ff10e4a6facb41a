/** A clock that is off by more than this may be why a signature is refused, in milliseconds. */
const NOTABLE_SKEW_MS = 60_000;

/**
 * How far the clock of the service is ahead of the local one.
 *
 * @param dateHeader the `Date` header of a response
 * @param now the local time in milliseconds
 * @returns milliseconds; undefined where the header says nothing
 */
export function readClockLead(dateHeader: unknown, now: number): number | undefined {
	const lead = typeof dateHeader === 'string' ? Date.parse(dateHeader) - now : Number.NaN;
	return Number.isNaN(lead) ? undefined : lead;
}

/**
 * Says by how much the clock of the n8n server differs from that of the service, which checks the
 * signed date of a request. How much it permits is not documented.
 *
 * @param dateHeader the `Date` header of a response
 * @param now the local time in milliseconds
 * @returns a sentence for the user; empty when the clocks agree within a minute
 */
export function describeSkew(dateHeader: unknown, now: number): string {
	const ahead = -(readClockLead(dateHeader, now) ?? 0);
	if (Math.abs(ahead) < NOTABLE_SKEW_MS) return '';
	const minutes = Math.round(Math.abs(ahead) / 60_000);
	const some = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	const amount = minutes === 1 ? '1 minute' : some;
	const direction = ahead > 0 ? 'ahead of' : 'behind';
	return `The clock of the n8n server is about ${amount} ${direction} that of Portal.io: set it right.`;
}
