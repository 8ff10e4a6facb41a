/** One run: login, description, checks, facts, and removing what was made. */
import { deleteAllContents } from './checks/ai.mts';
import { checks } from './checks/index.mts';
import { deleteAllItems } from './checks/items.mts';
import { findRecords } from './checks/reading.mts';
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
	words: Probe['words'];
}

/** How long removing what was made may take once the run was stopped. */
const CLEANUP_LIMIT_MS = 20_000;

/** Runs the probe. Whatever happens, the report says what was learned until then. */
export async function runProbe(options: ProbeOptions): Promise<Result> {
	const probe = new Probe(options);
	const { session, startedAt, records } = probe;
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
		...{ endpoints, records, description: probe.description, left },
	};
	return { report, description, words: probe.words };
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
	if (kept.mayHaveMade) {
		left.push(`Proposals and contacts named '${name} …', which the API cannot delete.`);
	}
	return left;
}
