/** One run: login, description, checks, facts, and removing what was made. */
import { deleteAllContents } from './checks/ai.mts';
import { checks } from './checks/index.mts';
import { deleteAllItems } from './checks/items.mts';
import { findRecords, listIn } from './checks/reading.mts';
import { checkLogin } from './checks/users.mts';
import { deleteAllSubscriptions } from './checks/webhooks.mts';
import { readDescription, reportDescription, type Description } from './description.mts';
import { Probe, type ProbeOptions } from './probe.mts';
import type { Report } from './report.mts';
import { CredentialError, Ended } from './session.mts';

/** The report, and what stays with the owner of the account. */
export interface Result {
	report: Report;
	description: Description;
	conversation: string;
}

/** How long removing what was made may take once the run was stopped. */
const CLEANUP_LIMIT_MS = 20_000;

/** Runs the probe. Whatever happens, the report says what was learned until then. */
export async function runProbe(options: ProbeOptions): Promise<Result> {
	const probe = new Probe(options);
	const { session, startedAt, records, facts } = probe;
	const onStep = (what: string) => options.onStep?.(what, session.requests);
	const start = session.clock.now();
	let description: Description = {};
	let endedEarly: string | undefined;
	try {
		onStep('description');
		description = await readDescription(async (path) => {
			const { isSuccess, data } = await session.send({ method: 'GET', path, userApiKey: '' });
			return isSuccess ? data : '';
		});
		onStep('login');
		await checkLogin(probe);
		await runChecks(probe, onStep);
		reportDescription(probe, description);
	} catch (error) {
		endedEarly = reasonOf(error as Error);
	}
	onStep('removing what was made');
	const left = await removeAll(probe);
	const endpoints = probe.endpoints.map((one) =>
		one.verdict === 'not tried' && endedEarly !== undefined ? { note: endedEarly, ...one } : one,
	);
	const report: Report = {
		service: session.baseUrl,
		startedAt,
		seconds: Math.round((session.clock.now() - start) / 1000),
		requests: session.requests,
		...(endedEarly !== undefined && { endedEarly }),
		...{ endpoints, records, facts, left },
	};
	return { report, description, conversation: String(session.conversation) };
}

async function runChecks(probe: Probe, onStep: (what: string) => void): Promise<void> {
	let resource = '';
	if (probe.options.readOnly) await findRecords(probe);
	for (const check of checks) {
		const [own = ''] = check.operation.split('.');
		if (own !== resource) onStep(own);
		resource = own;
		await probe.try(check);
		// Without a proposal of its own, the probe can still read one.
		if (check.operation === 'proposal.create') await findRecords(probe);
	}
}

/** Of anything unexpected only the kind is shown, as its message may hold a value. */
function reasonOf(error: Error): string {
	if (error instanceof Ended) return error.message;
	// It says what is wrong with the login, and holds neither keys nor the response.
	if (error instanceof CredentialError) return `${error.message.replace(/\.$/, '')}.`;
	return `The probe failed (${error.name}).`;
}

/** Removes what can be removed, also after an early end, and says what is left. */
async function removeAll(probe: Probe): Promise<string[]> {
	const { session, options, own, kept, name } = probe;
	// Nothing was made before the login.
	if (options.readOnly || session.userApiKey === '') return [];
	session.signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
	const hasProposal = own.ProposalId !== undefined;
	const removals = [
		[kept.hasSubscribed, deleteAllSubscriptions, `Webhook subscriptions described as '${name} …'`],
		[hasProposal && options.ai, deleteAllContents, 'AI content in the proposal of the probe'],
		[hasProposal, deleteAllItems, 'Items in the proposal of the probe'],
	] as const;
	const left: string[] = [];
	for (const [isNeeded, remove, what] of removals) {
		if (!isNeeded || (await remove(probe).catch(() => false))) continue;
		left.push(`${what}: they could not be deleted, so delete them yourself.`);
	}
	left.push(...(await nameLeft(probe, 'proposal', 'ProposalId', 'proposals')));
	left.push(...(await nameLeft(probe, 'contact', 'ContactId', 'people')));
	return left;
}

/** What the API cannot delete, also what no response told of. */
async function nameLeft(probe: Probe, kind: string, id: string, list: string): Promise<string[]> {
	const { own, name } = probe;
	// The last name of a contact has the time of the run.
	const time = name.slice(-19);
	const query = { SearchText: time, PageNumber: 1, PageSize: 100 };
	const answer = await probe.send(`${kind}.getMany`, query).catch(() => undefined);
	const named = listIn(answer?.data, list).filter((one) =>
		String(one.name ?? one.lastName).includes(time),
	);
	const count = Math.max(named.length, own[id] === undefined ? 0 : 1);
	if (count === 0) return [];
	const records = count === 1 ? `1 ${kind}` : `${count} ${kind}s`;
	return [`${records} named '${name} …', which the API cannot delete.`];
}
