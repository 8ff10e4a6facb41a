/** What is asked beside the endpoints. A fact is a plain value that cannot hold one of the account. */
import type { Json } from './contract.mts';
import type { Probe } from './probe.mts';
import { Ended, type Answer } from './session.mts';

const USERS = { method: 'GET', path: '/public/users' };
const NO_ID = 2_147_483_647;

/** How far the date of a request may be off, in seconds. */
const OFFSETS = [60, 300, 900, 1800, 3600, 86_400];
/** A request takes a moment, so that a limit is not hit exactly. */
const SLACK_SECONDS = 10;
const PAGE_SIZES = [1000, 500, 250, 100, 50, 25, 10];

const FACTS: Record<string, (probe: Probe) => Promise<unknown>> = {
	responseToUnknownPath: async ({ session }) =>
		kindOf(await session.send({ method: 'GET', path: '/public/n8n-probe/no-such-route' })),

	responseToUnknownId: async (probe) =>
		kindOf(await probe.send('proposal.get', {}, { ProposalId: NO_ID })),

	requestDateMayBeAhead: async (probe) => await dateTolerance(probe, 1),

	requestDateMayBeBehind: async (probe) => await dateTolerance(probe, -1),

	largestPageOfProposals: async (probe) => {
		for (const PageSize of PAGE_SIZES) {
			const { isSuccess, data } = await probe.send('proposal.getMany', { PageNumber: 1, PageSize });
			if (!isSuccess) continue;
			const { proposals = [], proposalCount = 0 }: Json = data ?? {};
			// Fewer records than that may be all that there are.
			const isCut = proposals.length < Math.min(PageSize, proposalCount);
			return isCut ? `${PageSize} are cut to ${proposals.length}` : `${PageSize} are accepted`;
		}
		return 'none of those that were asked for';
	},

	responseToIfModifiedSince: async (probe) => {
		const { headers } = await probe.send('proposal.get');
		const date = headers['last-modified'];
		if (date === undefined) return 'A proposal has no Last-Modified header.';
		const path = `/public/proposals/${probe.own.ProposalId ?? probe.found.ProposalId}`;
		const request = { method: 'GET', path, headers: { 'If-Modified-Since': String(date) } };
		return kindOf(await probe.session.send(request));
	},
};

/** @throws Ended when the service cannot be asked any further */
export async function collectFacts(probe: Probe): Promise<void> {
	for (const [name, ask] of Object.entries(FACTS)) {
		probe.facts[name] = await ask(probe).catch((error: Error) => {
			if (error instanceof Ended) throw error;
			return `not known (${error.name})`;
		});
	}
}

function kindOf({ status, data }: Answer): string {
	if (typeof data === 'object' && data !== null) return `${status} with JSON`;
	if (data === '' || data === null) return `${status} without a body`;
	return /^\s*</.test(String(data)) ? `${status} with HTML` : `${status} with text`;
}

/** @param sign 1 for dates ahead of the service's clock, -1 for dates behind it */
async function dateTolerance({ session }: Probe, sign: number): Promise<string> {
	const { headers } = await session.send(USERS);
	const skew = Date.parse(String(headers.date)) - Date.now();
	// The header has no fractions of a second.
	const base = Number.isNaN(skew) || Math.abs(skew) < 2000 ? 0 : skew;
	let accepted = 0;
	for (const seconds of OFFSETS) {
		const dateOffsetMs = base + sign * (seconds - SLACK_SECONDS) * 1000;
		const { status } = await session.send({ ...USERS, dateOffsetMs });
		if (status === 401) return `${accepted} seconds accepted, ${seconds} refused`;
		accepted = seconds;
	}
	return `${accepted} seconds accepted, and perhaps more`;
}
