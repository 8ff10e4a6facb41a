/** One run: login, description, checks, facts, and removing what was made. */
import { createRequire } from 'node:module';
import { checks } from './checks/index.mts';
import { deleteAllContents } from './checks/ai.mts';
import { deleteAllItems } from './checks/items.mts';
import { findRecords } from './checks/lists.mts';
import { checkLogin } from './checks/users.mts';
import { deleteAllSubscriptions } from './checks/webhooks.mts';
import { readDescription, reportDescription, type Description } from './description.mts';
import { shownName } from './contract.mts';
import { collectFacts } from './facts.mts';
import type { Report } from './model.mts';
import { Probe } from './probe.mts';
import { listIn } from './checks/reading.mts';
import { Ended, Session, type SessionOptions } from './session.mts';

const { CredentialError } = createRequire(import.meta.url)('../../dist/client/account.js');

export interface RunOptions extends SessionOptions {
	/** Uploads a second of sound, has an outline generated and the proposal built. */
	ai?: boolean;
	/** How long each piece of AI work may take, and the pause between two looks at it. */
	aiLimitMs?: number;
	pauseMs?: number;
	/** Told what is done now. */
	onStep?: (what: string) => void;
	/** The time of the start. */
	now?: Date;
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
	const { readOnly = false, ai = false, now = new Date(), onStep = () => {} } = options;
	const session = new Session(options);
	const probe = new Probe(session, {
		...{ readOnly, ai },
		name: `n8n probe ${now.toISOString().slice(0, 19).replace('T', ' ')}`,
		username: options.keys.username,
		aiLimitMs: options.aiLimitMs ?? 180_000,
		pauseMs: options.pauseMs ?? 2000,
	});
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
	if (Object.keys(probe.kept.creationStatus).length > 0) {
		probe.facts.creationStatus = probe.kept.creationStatus;
	}
	probe.facts.errorCodes = [...session.errorCodes].map(shownName).sort();
	const report: Report = {
		service: session.baseUrl,
		startedAt: now.toISOString(),
		seconds: Math.round((session.clock.now() - start) / 1000),
		requests: session.requests,
		...(endedEarly === undefined ? {} : { endedEarly }),
		endpoints: [...probe.endpoints.values()].map((one) =>
			one.verdict === 'not tried' ? { ...one, note: one.note ?? endedEarly } : one,
		) as Report['endpoints'],
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
	session.signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
	const left: string[] = [];
	const remove = async (what: string, removal: () => Promise<boolean>) => {
		if (!(await removal().catch(() => false))) left.push(`${what} could not be removed.`);
	};
	if (probe.kept.hasSubscribed) {
		await remove('Webhook subscriptions of the probe', () => deleteAllSubscriptions(probe));
	}
	if (own.ProposalId !== undefined) {
		if (options.ai) await remove('AI content of the probe', () => deleteAllContents(probe));
		await remove('Items of the probe', () => deleteAllItems(probe));
	}
	const proposals = await countNamed(probe, 'proposals');
	const people = await countNamed(probe, 'people');
	if (proposals > 0) {
		left.push(`${proposals} proposal(s) named '${options.name} …': no endpoint deletes proposals.`);
	}
	if (people > 0) {
		const name = `n8n ${options.name.slice(4)}`;
		left.push(`${people} contact(s) named '${name} …': no endpoint deletes contacts.`);
	}
	return left;
}

/** How many records have a name of this run, also those that no response told of. */
async function countNamed(probe: Probe, list: 'people' | 'proposals'): Promise<number> {
	const { own, options, session } = probe;
	const isProposals = list === 'proposals';
	const known = Number((isProposals ? own.ProposalId : own.ContactId) !== undefined);
	// Nothing was made before the login.
	if (session.userApiKey === '') return 0;
	// Of a contact, the last name has the time of the run.
	const text = isProposals ? options.name : options.name.slice(4);
	const query = { SearchText: text, PageNumber: 1, PageSize: 100 };
	const operation = isProposals ? 'proposal.getMany' : 'contact.getMany';
	const answer = await probe.send(operation, query).catch(() => undefined);
	const named = listIn(answer?.data, list).filter((one) =>
		String((isProposals ? one.name : one.lastName) ?? '').startsWith(text),
	);
	return Math.max(known, named.length);
}
