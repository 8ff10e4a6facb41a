/**
 * Lets two n8n processes that share a stored credential renew its user API key, in a model of n8n and Portal.io. Keys
 * can expire at any moment, and each database read, request, and login takes some time.
 */
import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAccount, toStoredKey } from '../../client/account.ts';
import { newCredential } from '../unit/playedSession.mts';
import { runs } from './runCount.mts';

/** Loads the package as a separate process does, with its own memory. */
async function startProcess() {
	vi.resetModules();
	const { Session } = await import('../../client/session.ts');
	const { PortalIoApi } = await import('../../credentials/PortalIoApi.credentials.ts');
	return { Session, credentialType: new PortalIoApi() };
}

const processes: Awaited<ReturnType<typeof startProcess>>[] = [];
beforeAll(async () => {
	processes.push(await startProcess(), await startProcess());
	vi.useFakeTimers({ toFake: ['setTimeout', 'Date', 'performance'] });
	// Make the wait before a second renewal 250 ms, so n8n has stored the other process's key by then.
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterAll(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

const STORING_MS = 50;
/** Maximum time until the first request with a new key arrives. */
const FIRST_USE_MS = 1500;

/** Key that a login returns: the same one until it expires, a new one, or a new one that ends all others. */
type Keys = 'same' | 'new' | 'new ends others';

/** Execution that sends its requests in turns, several at a time. */
interface Execution {
	process: number;
	startsAtMs: number;
	turns: number;
	parallel: number;
	/** Whether Portal.io rejects its requests with status 401 for a reason other than the key. */
	isRejected: boolean;
}

interface Scenario {
	keys: Keys;
	executions: Execution[];
	expiriesAtMs: number[];
	/** Durations in milliseconds, used in turn. */
	durations: number[];
}

async function playScenario({ keys, executions, expiriesAtMs, durations }: Scenario) {
	const credential: ICredentialDataDecryptedObject = newCredential();
	const account = readAccount(credential);
	let logins = 0;
	let validKeys: string[] = [];
	const issuedAt = new Map<string, number>();
	let step = 0;
	const elapse = async (ms = durations[step++ % durations.length]!) =>
		await new Promise((resolve) => void setTimeout(resolve, ms));

	async function logIn() {
		await elapse();
		logins++;
		const isSame = keys === 'same' && validKeys.length > 0;
		const apiKey = isSame ? validKeys[0]! : `key ${logins}`;
		validKeys = keys === 'new' ? [...validKeys, apiKey] : [apiKey];
		issuedAt.set(apiKey, Date.now());
		// Store the keys in the order of the logins, as n8n does.
		setTimeout(() => (credential.userApiKey = toStoredKey(account, apiKey)), STORING_MS);
		await elapse();
		return { statusCode: 200, headers: {}, body: { meta: { apiKey } } };
	}

	/** Creates a context that sends requests as n8n does. Without a key, it first logs in and stores the key. */
	function createContext({ process, isRejected }: Execution) {
		const { credentialType } = processes[process]!;
		const send = async (
			_type: string,
			_request: IHttpRequestOptions,
			{ credentialsDecrypted }: { credentialsDecrypted: { data: ICredentialDataDecryptedObject } },
		) => {
			const { data } = credentialsDecrypted;
			await elapse();
			if (data.userApiKey === '') {
				const n8n = { helpers: { httpRequest: logIn } } as never;
				const output = await credentialType.preAuthentication.call(n8n, data);
				Object.assign(data, output);
			}
			await elapse();
			const isValid = validKeys.some((key) => String(data.userApiKey).endsWith(`.${key}`));
			await elapse();
			return isValid && !isRejected
				? { statusCode: 200, headers: {}, body: { id: 1 } }
				: { statusCode: 401, headers: {}, body: '' };
		};
		const getCredentials = async () => {
			await elapse();
			return { ...credential };
		};
		const helpers = { httpRequestWithAuthentication: send };
		return { getCredentials, getMode: () => 'trigger', helpers };
	}

	async function execute(execution: Execution): Promise<string[]> {
		await elapse(execution.startsAtMs);
		const { Session } = processes[execution.process]!;
		const context = createContext(execution);
		const session = new Session(context as never, await context.getCredentials(), {});
		const outcomes: string[] = [];
		for (let turn = 0; turn < execution.turns; turn++) {
			const sending = Array.from({ length: execution.parallel }, async () => {
				return await session.send({ method: 'GET', path: '/x' }).then(
					() => 'success',
					(error: Error) => error.message,
				);
			});
			outcomes.push(...(await Promise.all(sending)));
		}
		return outcomes;
	}

	const expiring = expiriesAtMs.map(async (ms) => {
		await elapse(ms);
		// Keep new keys valid, because the package does not blame a key that is rejected before its first use.
		validKeys = validKeys.filter((key) => Date.now() - issuedAt.get(key)! < FIRST_USE_MS);
	});
	const running = Promise.all(executions.map(execute));
	await vi.runAllTimersAsync();
	await Promise.all(expiring);
	return { outcomes: await running, logins };
}

const execution = fc.record({
	process: fc.nat(1),
	startsAtMs: fc.nat(3000),
	turns: fc.integer({ min: 1, max: 5 }),
	parallel: fc.integer({ min: 1, max: 4 }),
	isRejected: fc.nat(7).map((number) => number === 0),
});
const durations = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 });
const expiriesAtMs = fc.array(fc.nat(4000), { maxLength: 3 });
const arbitraryExecutions = (one: typeof execution) =>
	fc.array(one, { minLength: 1, maxLength: 6 });
const scenario: fc.Arbitrary<Scenario> = fc.oneof(
	fc.record({
		keys: fc.constantFrom<Keys>('same', 'new'),
		executions: arbitraryExecutions(execution),
		expiriesAtMs,
		durations,
	}),
	// Exclude rejections for other reasons, because the logins after them would keep ending the other process's keys.
	fc.record({
		keys: fc.constant<Keys>('new ends others'),
		executions: arbitraryExecutions(execution.map((one) => ({ ...one, isRejected: false }))),
		expiriesAtMs,
		durations,
	}),
);

/**
 * Scenario in which a process opens another session while its first login is still pending. By then, n8n has stored a
 * newer key from the other process.
 */
const storedDuringLogin: Scenario = {
	keys: 'new ends others',
	executions: [
		{ process: 0, startsAtMs: 0, turns: 1, parallel: 2, isRejected: false },
		{ process: 0, startsAtMs: 174, turns: 1, parallel: 1, isRejected: false },
		{ process: 1, startsAtMs: 0, turns: 1, parallel: 3, isRejected: false },
	],
	expiriesAtMs: [],
	durations: [1, 172, 1, 51, 120, 104, 1],
};

const REJECTED = 'Portal.io accepted the login, but rejected the request';

it('completes every request despite expiring keys, with few logins', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (played) => {
			const { outcomes, logins } = await playScenario(played);
			for (const [index, { isRejected }] of played.executions.entries()) {
				const expected = isRejected ? REJECTED : 'success';
				expect(new Set(outcomes[index])).toEqual(new Set([expected]));
			}
			// Each process logs in at most once for the first key, for each expiry, and for each turn with rejected
			// requests. A login that ends the other process's key can require one more login by each process.
			const rejectedTurns = played.executions.map((one) => (one.isRejected ? one.turns : 0));
			const causes = rejectedTurns.reduce(
				(sum, turns) => sum + turns,
				1 + played.expiriesAtMs.length,
			);
			const perCause = played.keys === 'new ends others' ? 4 : 2;
			expect(logins).toBeLessThanOrEqual(causes * perCause);
		}),
		{ ...runs(150), examples: [[storedDuringLogin]] },
	);
});
