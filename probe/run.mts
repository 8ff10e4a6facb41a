/** One run of the probe: login, discovery, the walk, the facts, and removing what was made. */
import { createRequire } from 'node:module';
import { isSuccess } from './attempt.mts';
import { Cleanup } from './cleanup.mts';
import { collectFacts } from './facts/index.mts';
import type { Report } from './model.mts';
import { Probe } from './probe.mts';
import { Ended, Service, type HttpRequest, type Keys } from './service.mts';
import { tryLogIn } from './walk/authentication.mts';
import { walkService } from './walk/index.mts';
import { listIn, type Walk } from './walk/walk.mts';
import { WebhookTest } from './webhook.mts';

const { CredentialError } = createRequire(import.meta.url)('../dist/client/auth/account.js');

/** What a run is given. */
export interface RunOptions {
	baseUrl: string;
	keys: Keys;
	httpRequest: HttpRequest;
	/** Ends the run: what was made is removed, and what was learned is reported. */
	signal: AbortSignal;
	/** The shortest time from a response to the next request, in milliseconds; 200 by default. */
	intervalMs?: number;
	/** Only what changes nothing. */
	readOnly?: boolean;
	/** Uploads a second of sound, has an outline generated and the proposal built. */
	ai?: boolean;
	/** A public address, and the port of this machine where its requests arrive. Needs `ai`. */
	webhook?: { url: string; port: number };
	/** How long AI work, and then its event, may take, in milliseconds. */
	aiLimitMs?: number;
	/** Told what is done now. */
	onProgress?: (text: string) => void;
	/** Told before each request. */
	onRequest?: (method: string, path: string) => void;
	/** Gets the keys and every text in the service's records, which must not stand in the report. */
	texts?: Set<string>;
	/** What may be shown of a message of the service; without it, nothing is. */
	words?: (message: string, names: string[]) => string;
	/** The time of the start. */
	now?: Date;
}

const LOGIN = 'authentication.exchangeKey';
const INTERVAL_MS = 200;
const AI_LIMIT_MS = 180_000;
/** How long removing what was made may take once the run was stopped. */
const CLEANUP_LIMIT_MS = 20_000;
/** Reserved for examples (RFC 2606), so nobody receives what is sent there. */
const NOWHERE = 'https://example.com/n8n-probe';

/** Runs the probe. Whatever happens, the report says what was learned until then. */
export async function runProbe(options: RunOptions): Promise<Report> {
	const { intervalMs = INTERVAL_MS, now = new Date() } = options;
	const start = performance.now();
	const service = new Service({ ...options, intervalMs });
	const probe = new Probe(service, options);
	const walk = walkOf(probe, options, now);
	const webhook = options.webhook && new WebhookTest(walk, options.webhook);
	let endedEarly: string | undefined;
	try {
		await ask(walk, options, webhook);
	} catch (error) {
		endedEarly = reasonOf(error as Error);
		if (error instanceof CredentialError) reportLogin(probe, endedEarly);
	}
	options.onProgress?.('removing what was made');
	await removeAll(walk);
	await webhook?.close();
	return {
		service: service.baseUrl,
		startedAt: now.toISOString(),
		seconds: Math.round((performance.now() - start) / 1000),
		requests: service.requests,
		...(endedEarly === undefined ? {} : { endedEarly }),
		endpoints: endpointsOf(probe, endedEarly),
		facts: probe.facts,
		left: probe.left,
		changes: [],
	};
}

/** Of anything unexpected only the kind is shown, as its message may hold values of the account. */
function reasonOf(error: Error): string {
	if (error instanceof Ended) return error.message;
	// It says what is wrong with the login, and holds neither keys nor the response.
	if (error instanceof CredentialError) return `${error.message.replace(/\.$/, '')}.`;
	return `The probe failed (${error.name}).`;
}

/** A login that failed: nothing else could be tried. */
function reportLogin(probe: Probe, reason: string): void {
	const wasAsked = !reason.endsWith(' cannot be reached.');
	for (const report of probe.endpoints.values()) {
		if (report.operation !== LOGIN) report.note = 'Not tried, as the login failed.';
		else Object.assign(report, { verdict: wasAsked ? 'refused' : 'not tried', note: reason });
	}
}

/** A walk that has not begun. */
export function walkOf(
	probe: Probe,
	options: Pick<RunOptions, 'keys'> & Partial<RunOptions>,
	now: Date,
): Walk {
	const { intervalMs = INTERVAL_MS, readOnly = false, ai = false } = options;
	return {
		probe,
		cleanup: new Cleanup(),
		readOnly,
		ai,
		name: `n8n probe ${now.toISOString().slice(0, 19).replace('T', ' ')}`,
		username: options.keys.username,
		subscriptionUrl: String(new URL(options.webhook?.url ?? NOWHERE)),
		pauseMs: Math.max(10, intervalMs * 10),
		aiLimitMs: options.aiLimitMs ?? AI_LIMIT_MS,
		creationStatus: {},
		made: { proposals: [], contacts: [], subscriptions: new Set() },
		isOwnProposal: false,
		optionIds: [],
		parts: [],
		unreadable: [],
	};
}

async function ask(walk: Walk, options: RunOptions, webhook?: WebhookTest): Promise<void> {
	const { onProgress = () => {} } = options;
	const { probe } = walk;
	onProgress('login');
	await tryLogIn(walk, options.keys);
	onProgress('what the service says of itself');
	await probe.discover();
	await walkService(walk, onProgress, async () => await webhook?.open());
	await webhook?.wait();
	await collectFacts(walk, onProgress);
	probe.facts.creationStatus = walk.creationStatus;
}

/** Removes what can be removed, also after an abort, and says what is left. */
async function removeAll(walk: Walk): Promise<void> {
	const { probe, cleanup, made, name } = walk;
	probe.service.signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
	probe.left.push(...(await cleanup.run()));
	const several = (count: number, one: string, many: string) =>
		count === 1 ? one : `${count} ${many}`;
	const proposals = Math.max(made.proposals.length, await countNamed(walk, 'proposals'));
	if (proposals > 0) {
		const what = several(proposals, 'A proposal', 'proposals');
		probe.left.push(`${what} named '${name} …' with areas: no endpoint deletes proposals.`);
	}
	const contacts = Math.max(made.contacts.length, await countNamed(walk, 'people'));
	if (contacts > 0) {
		const what = several(contacts, 'A contact', 'contacts');
		probe.left.push(`${what} named '${name} …' with a location: no endpoint deletes contacts.`);
	}
}

/**
 * How many records have a name of this run, also those of which no response told; 0 when the list
 * cannot be read.
 */
async function countNamed({ probe, name }: Walk, list: 'people' | 'proposals'): Promise<number> {
	const operation = list === 'people' ? 'contact.getMany' : 'proposal.getMany';
	// Of a contact, the last name holds the time of the run.
	const text = list === 'people' ? name.slice(4) : name;
	const query = { SearchText: text, PageNumber: 1, PageSize: 100 };
	try {
		const answer = await probe.call(operation, {}, undefined, query);
		const shown = listIn(isSuccess(answer) ? answer : undefined, list);
		return shown.filter((one) => `${one?.name ?? ''}${one?.lastName ?? ''}`.startsWith(text))
			.length;
	} catch {
		return 0;
	}
}

function endpointsOf(probe: Probe, endedEarly?: string): Report['endpoints'] {
	return [...probe.endpoints.values()].map((report) =>
		report.verdict === 'not tried' && report.note === undefined
			? { ...report, note: endedEarly ?? 'There was no way to try it.' }
			: report,
	);
}
