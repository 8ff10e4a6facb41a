/** What is asked beside the endpoints. A fact is a plain value that cannot hold one of the account. */
import { Ended } from './session.mts';
import type { Answer, Json } from './model.mts';
import type { Probe } from './probe.mts';

const USERS = { method: 'GET', path: '/public/users' };
const NO_ID = 2_147_483_647;

type Fact = (probe: Probe) => Promise<unknown>;

/** What kind of response it is. */
const kindOf = ({ status, data }: Answer) => {
	if (typeof data === 'object' && data !== null) return `${status} with JSON`;
	if (data === '' || data === null) return `${status} with nothing`;
	return /^\s*</.test(String(data)) ? `${status} with HTML` : `${status} with text`;
};

const unknownRoute: Fact = async ({ session }) =>
	kindOf(await session.send({ method: 'GET', path: '/public/n8n-probe/no-such-route' }));

const unknownRecord: Fact = async (probe) =>
	kindOf(await probe.send('proposal.get', {}, { ProposalId: NO_ID }));

/** How far the date of a request may be off, in seconds: the first refused of these. */
const OFFSETS = [60, 300, 900, 1800, 3600, 86_400];
/** A request takes a moment, so that a limit is not hit exactly. */
const SLACK_SECONDS = 10;

const clockTolerance: Fact = async (probe) => {
	const { headers } = await probe.session.send(USERS);
	const skew = Date.parse(String(headers.date)) - Date.now();
	// The header has no fractions of a second.
	const base = Number.isNaN(skew) || Math.abs(skew) < 2000 ? 0 : skew;
	const limit = async (sign: number) => {
		for (const seconds of OFFSETS) {
			const dateOffsetMs = base + sign * (seconds - SLACK_SECONDS) * 1000;
			const { status } = await probe.session.send({ ...USERS, dateOffsetMs });
			if (status === 401) return `less than ${seconds} seconds`;
		}
		return 'a day or more';
	};
	return { ahead: await limit(1), behind: await limit(-1) };
};

const PAGE_SIZES = [1000, 500, 250, 100, 50, 25, 10];

/** The first size that is accepted; fewer records than that may be all that there are. */
const largestPage: Fact = async (probe) => {
	for (const PageSize of PAGE_SIZES) {
		const { isSuccess, data } = await probe.send('proposal.getMany', { PageNumber: 1, PageSize });
		if (!isSuccess) continue;
		const { proposals = [], proposalCount = 0 }: Json = data ?? {};
		const isCut = proposals.length < Math.min(PageSize, proposalCount);
		return isCut ? `cut at ${proposals.length}` : `${PageSize} are accepted`;
	}
	return 'none of those that were asked for';
};

const ifModifiedSince: Fact = async (probe) => {
	const { headers } = await probe.send('proposal.get');
	if (headers['last-modified'] === undefined) return 'a proposal has no Last-Modified header';
	const { ProposalId } = { ...probe.found, ...probe.own };
	const { status } = await probe.session.send({
		method: 'GET',
		path: `/public/proposals/${ProposalId}`,
		headers: { 'If-Modified-Since': String(headers['last-modified']) },
	});
	return status;
};

const FACTS: Record<string, Fact> = {
	unknownRoute,
	unknownRecord,
	clockTolerance,
	largestPage,
	ifModifiedSince,
};

/** @throws Ended when the service cannot be asked any further */
export async function collectFacts(probe: Probe): Promise<void> {
	for (const [name, fact] of Object.entries(FACTS)) {
		probe.facts[name] = await fact(probe).catch((error: Error) => {
			if (error instanceof Ended) throw error;
			return `not known (${error.name})`;
		});
	}
}
