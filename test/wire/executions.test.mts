/**
 * Executions that run at the same time. Those of one process make their changes of a proposal in the order in
 * which they started, and log in once for all.
 */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { anotherWorker, execute } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed, startService, type FileService } from './account.mts';

const service: FileService = restoredService();
const { changes, count, fail, requestsOf, run, workflow } = service;
const { freshLighting, staleOffice, staleTheater } = seed.proposals;

const UPDATE = 'proposal.updateInternalNotes';
const update = async (internalNotes: string, more: object = {}, proposalId = staleOffice) =>
	await workflow('proposal.update', { proposalId, updateFields: { internalNotes } }, more);
/** What the updates sent, in order; empty while the service holds one. */
const notesSent = () =>
	requestsOf(UPDATE).map(({ bodyText }) => new URLSearchParams(bodyText).get('InternalNotes'));
/** Runs a read to its end. By then the service has every request that does not wait for another change. */
const letRequestsArrive = async () => await run('user.getMany');

it('changes a proposal for one execution at a time, and other proposals at the same time', async () => {
	const gate = service.control.hold(UPDATE);
	const running = [update('first'), update('second'), update('other', {}, staleTheater)];
	await gate.arrived(2);
	await letRequestsArrive();
	// The service holds the first change of each proposal.
	expect(gate.waiting).toBe(2);
	gate.release();
	const outputs = await Promise.all(running);
	expect(outputs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(notesSent().at(-1)).toBe('second');
});

it('keeps the order of changes between the credentials of an account', async () => {
	// Portal.io ignores the case of an email; for n8n it is another login.
	const credential = service.credential('dealer', {
		username: seed.dealer.username.toUpperCase(),
	});
	await execute({ credential, operation: 'user.getMany' });
	const gate = service.control.hold(UPDATE);
	const running = [update('first'), update('second', { credential })];
	await gate.arrived(1);
	await letRequestsArrive();
	expect(gate.waiting).toBe(1);
	gate.release();
	await Promise.all(running);
	expect(notesSent()).toEqual(['first', 'second']);
});

it('creates one contact for two executions with the same email', async () => {
	const contact = {
		contactType: 'Client',
		firstName: 'Nora',
		additionalFields: { contactEmail: 'nora@example.com' },
		options: { reuseExisting: true },
	};
	const gate = service.control.hold('contact.create');
	const running = [1, 2].map(async () => await run('contact.create', contact));
	await gate.arrived(1);
	await letRequestsArrive();
	gate.release();
	const [[first], [second]] = (await Promise.all(running)) as [IDataObject[], IDataObject[]];
	expect(first).toMatchObject({ contactId: expect.any(Number) });
	expect(second).toMatchObject({ contactId: first!.contactId });
	expect(changes()).toEqual(['contact.create']);
});

it('ends a stopped execution at once that waits for another change, and sends none of its changes', async () => {
	const stop = new AbortController();
	const gate = service.control.hold(UPDATE);
	const first = update('first');
	await gate.arrived(1);
	const stopped = update('stopped', { signal: stop.signal });
	const last = update('last');
	await letRequestsArrive();
	stop.abort();
	expect((await stopped).error).toMatchObject({ message: 'The execution was stopped' });
	await letRequestsArrive();
	expect(gate.waiting).toBe(1);
	gate.release();
	await Promise.all([first, last]);
	expect(notesSent()).toEqual(['first', 'last']);
});

it('makes the next change when one fails, and repeats the failed one after it with Retry On Fail', async () => {
	const gate = service.control.hold(UPDATE);
	fail(UPDATE, { status: 400 });
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const running = [update('first', { settings }), update('second')];
	for (let request = 1; request <= 3; request++) {
		await gate.arrived(request);
		await letRequestsArrive();
		expect(gate.waiting).toBe(1);
		gate.release(1);
	}
	gate.release();
	const outputs = await Promise.all(running);
	expect(outputs.map(({ status }) => status)).toEqual(['success', 'success']);
	// The simulator does not read the body of a request that it fails.
	expect(notesSent()).toEqual([null, 'second', 'first']);
});

it('changes a proposal while an outline of it is awaited or a file is uploaded to it', async () => {
	const generation = service.control.hold('aiOutline.get');
	const upload = service.control.hold('aiContent.upload');
	const options = { waitForCompletion: true };
	const running = [
		run('aiOutline.generate', { proposalId: freshLighting, options }),
		service.upload(freshLighting, 'walk'),
	];
	// The earlier outline is read first.
	await generation.arrived(1);
	generation.release(1);
	await Promise.all([generation.arrived(2), upload.arrived(1)]);
	expect((await update('notes', {}, freshLighting)).status).toBe('success');
	service.control.finishAi();
	upload.release();
	generation.release();
	await Promise.all(running);
});

it('logs in once for three executions whose key is rejected, if the login returns the same key', async () => {
	const message = 'Your request signature (hash) is invalid.';
	fail('proposal.get', { status: 401, body: { responseStatus: { message } }, times: 99 });
	const parameters = { proposalId: staleOffice };
	const executions = [1, 2, 3].map(async () => await workflow('proposal.get', parameters));
	for (const { error } of await Promise.all(executions)) {
		expect(error).toMatchObject({
			message: 'Portal.io accepted the login, but rejected the signature of the request',
			description: expect.stringContaining(message),
		});
	}
	expect(service.control.exchangeCount()).toBe(1);
	// Each execution sends its request before the login and after it.
	expect(count('proposal.get')).toBe(2 * 3);
});

it('completes the requests of three workers whose logins end the keys of each other, with two logins each at most', async () => {
	const workers = [undefined, anotherWorker(), anotherWorker()];
	const { simulator, control, credential } = await startService({ userKeys: 'new' });
	const shared = credential();
	shared.onExchange = (key) => void control.expireUserKeys(key);
	const users = { credential: shared, operation: 'user.getMany' };
	const { length: userCount } = await execute(users);
	control.expireUserKeys();
	control.clearRequests();
	const runs = workers.map((worker) => execute({ ...users, worker, items: Array(30).fill({}) }));
	for (const output of await Promise.all(runs)) expect(output).toHaveLength(30 * userCount);
	expect(control.exchangeCount()).toBeLessThanOrEqual(workers.length * 2);
	await simulator.stop();
});
