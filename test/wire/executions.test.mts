/** Tests simultaneous executions in one process, and their changes to one proposal. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { execute } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed, type FileService } from './account.mts';

const service: FileService = restoredService();
const { changes, fail, requestsOf, run, workflow } = service;
const { freshLighting, staleOffice, staleTheater } = seed.proposals;

const UPDATE = 'proposal.updateInternalNotes';
const update = async (internalNotes: string, more: object = {}, proposalId = staleOffice) =>
	await workflow('proposal.update', { proposalId, updateFields: { internalNotes } }, more);
/** Returns the notes that updates have sent, in order. */
const notesSent = () =>
	requestsOf(UPDATE).map(({ bodyText }) => new URLSearchParams(bodyText).get('InternalNotes'));
/** Runs a read. By the time it ends, every request that does not wait for another change has arrived. */
const letRequestsArrive = async () => await run('user.getMany');

it('lets only one execution at a time change a proposal', async () => {
	const gate = service.control.hold(UPDATE);
	const running = [update('first'), update('second'), update('other', {}, staleTheater)];
	await gate.arrived(2);
	await letRequestsArrive();
	// Expect the first change of each proposal, because the service holds both.
	expect(gate.waiting).toBe(2);
	gate.release();
	const outputs = await Promise.all(running);
	expect(outputs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(notesSent().at(-1)).toBe('second');
});

it('runs changes in order, even with different credentials of the same account', async () => {
	// Change the case of the email. Portal.io ignores it, but n8n treats the other spelling as another login.
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

it('creates only one contact for two executions with the same email', async () => {
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

it('ends a stopped execution while it waits for another change', async () => {
	const stop = new AbortController();
	const gate = service.control.hold(UPDATE);
	const first = update('first');
	await gate.arrived(1);
	const stopped = update('stopped', { signal: stop.signal });
	const last = update('last');
	await letRequestsArrive();
	stop.abort();
	expect((await stopped).error).toMatchObject({ message: expect.stringContaining('was stopped') });
	await letRequestsArrive();
	expect(gate.waiting).toBe(1);
	gate.release();
	await Promise.all([first, last]);
	expect(notesSent()).toEqual(['first', 'last']);
});

it('with Retry On Fail, retries a failed change after the change that waited for it', async () => {
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
	// Expect no note from the failed request, whose body the simulator does not read.
	expect(notesSent()).toEqual([null, 'second', 'first']);
});

it('changes a proposal while another step waits for its outline or uploads a file to it', async () => {
	const generation = service.control.hold('aiOutline.get');
	const upload = service.control.hold('aiContent.upload');
	const options = { waitForCompletion: true };
	const running = [
		run('aiOutline.generate', { proposalId: freshLighting, options }),
		service.upload(freshLighting, 'walk'),
	];
	// Release the read of the earlier outline.
	await generation.arrived(1);
	generation.release(1);
	await Promise.all([generation.arrived(2), upload.arrived(1)]);
	expect((await update('notes', {}, freshLighting)).status).toBe('success');
	service.control.finishAi();
	upload.release();
	generation.release();
	await Promise.all(running);
});
