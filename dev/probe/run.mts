/** One run: login, description, checks, facts, and removing what was made. */
import { createRequire } from 'node:module';
import { deleteAllContents } from './checks/ai.mts';
import { checks } from './checks/index.mts';
import { deleteAllItems } from './checks/items.mts';
import { findRecords, listIn } from './checks/reading.mts';
import { checkLogin } from './checks/users.mts';
import { deleteAllSubscriptions } from './checks/webhooks.mts';
import { safeName } from './contract.mts';
import { readDescription, reportDescription, type Description } from './description.mts';
import { collectFacts } from './facts.mts';
import { Probe } from './probe.mts';
import type { Report } from './report.mts';
import { Ended, Session, type SessionOptions } from './session.mts';

const { CredentialError } = createRequire(import.meta.url)('../../dist/client/account.js');

export interface RunOptions extends SessionOptions {
	/** Uploads a text, has an outline generated and the proposal built. */
	ai?: boolean;
	/** How long each piece of AI work may take, and the pause between two looks at it. */
	aiLimitMs?: number;
	pauseMs?: number;
	/** Told what is done now. */
	onStep?: (what: string) => void;
}

/** The report, and what stays with the owner of the account. */
export interface Result {
	report: Report;
	description: Description;
	conversation: string;
}

/** How long removing what was made may take once the run was stopped. */
const CLEANUP_LIMIT_MS = 20_000;

/** Runs the probe. Whatever happens, the report says what was learned until then. */
export async function runProbe(options: RunOptions): Promise<Result> {
	const { readOnly = false, ai = false, aiLimitMs = 180_000, pauseMs = 2000 } = options;
	const { onStep = () => {} } = options;
	const startedAt = new Date().toISOString();
	const session = new Session(options);
	const name = `n8n probe ${startedAt.slice(0, 19).replace('T', ' ')}`;
	const { username } = options.keys;
	const probe = new Probe(session, { readOnly, ai, name, username, aiLimitMs, pauseMs });
	const start = session.clock.now();
	let description: Description = {};
	let endedEarly: string | undefined;
	try {
		onStep('login');
		await checkLogin(probe, options.keys);
		onStep('description');
		description = await readDescription(probe);
		await runChecks(probe, onStep);
		onStep('facts');
		await collectFacts(probe);
		reportDescription(probe, description);
	} catch (error) {
		endedEarly = reasonOf(error as Error);
	}
	onStep('removing what was made');
	const left = readOnly ? [] : await removeAll(probe);
	probe.facts.successWithOtherStatusThan200 = probe.otherStatuses;
	probe.facts.errorCodes = [...session.errorCodes].map(safeName).sort();
	const report: Report = {
		service: session.baseUrl,
		startedAt,
		seconds: Math.round((session.clock.now() - start) / 1000),
		requests: session.requests,
		...(endedEarly !== undefined && { endedEarly }),
		endpoints: [...probe.endpoints.values()].map((one) =>
			one.verdict === 'not tried' ? { ...one, note: one.note ?? endedEarly! } : one,
		),
		records: probe.records,
		facts: probe.facts,
		left,
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
	const { session, options, own } = probe;
	// Nothing was made before the login.
	if (session.userApiKey === '') return [];
	session.signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
	const left: string[] = [];
	const remove = async (what: string, removal: (probe: Probe) => Promise<boolean>) => {
		const isGone = await removal(probe).catch(() => false);
		if (!isGone) left.push(`${what} of the probe could not be removed.`);
	};
	if (probe.kept.hasSubscribed) await remove('Webhook subscriptions', deleteAllSubscriptions);
	if (own.ProposalId !== undefined) {
		if (options.ai) await remove('AI content', deleteAllContents);
		await remove('Items', deleteAllItems);
	}
	const time = options.name.replace('n8n ', '');
	const proposals = await countNamed(probe, 'proposal.getMany', 'proposals', 'name', options.name);
	if (own.ProposalId !== undefined || proposals > 0) {
		const count = Math.max(proposals, 1);
		left.push(`${count} proposal(s) named '${options.name} …': no endpoint deletes proposals.`);
	}
	const people = await countNamed(probe, 'contact.getMany', 'people', 'lastName', time);
	if (own.ContactId !== undefined || people > 0) {
		const count = Math.max(people, 1);
		left.push(`${count} contact(s) named '${options.name} …': no endpoint deletes contacts.`);
	}
	return left;
}

/** How many records have a name of this run, also those that no response told of. */
async function countNamed(
	probe: Probe,
	operation: string,
	list: string,
	member: string,
	name: string,
): Promise<number> {
	const query = { SearchText: name, PageNumber: 1, PageSize: 100 };
	const answer = await probe.send(operation, query).catch(() => undefined);
	return listIn(answer?.data, list).filter((one) => String(one[member]).startsWith(name)).length;
}
