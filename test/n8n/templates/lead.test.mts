/** Runs the example *A lead becomes a proposal*, called as another program would. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { entryUrl } from '../../../dev/testbed/activeWorkflow.mts';
import { callerHeader } from '../../../dev/testbed/otherSystems/index.mts';
import { until } from '../../../dev/testbed/until.mts';
import { finishedExecutions } from '../executions.mts';
import { linkTo, useExample } from './example.mts';

const { control, environment, workflow } = useExample('A lead becomes a proposal');

beforeAll(() => environment().n8n.activate(workflow()));
afterAll(() => environment().n8n.deactivate(workflow()));

const address = { street: '12 Juniper Way', city: 'Boulder', state: 'CO', postalCode: '80302' };
const lead = {
	key: 'L-1',
	name: 'Robin van Achterberg',
	email: 'robin@achterberg.example',
	phone: '303-555-0177',
	address,
	notes: 'Home theater in the basement',
	source: 'Website',
};

/** Sends a lead. Returns the status and body of the response. */
async function send(body: object, { name, value } = callerHeader) {
	const url = entryUrl(environment(), workflow())!;
	const headers = { 'Content-Type': 'application/json', [name]: value };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	return { status: response.status, body: await response.json().catch(() => undefined) };
}

const counts = () => [control().proposals().length, control().contacts().length];
const newest = () => control().proposal(Number(control().proposals().at(-1)!.id));

it('creates a contact, location, and proposal', async () => {
	const response = await send(lead);
	const created = newest();
	expect(response).toEqual({
		status: 200,
		body: { number: created.number, link: linkTo(created.id), problem: null },
	});
	expect(created).toMatchObject({
		name: 'Robin van Achterberg: inquiry L-1',
		status: 'Draft',
		customer: {
			firstName: 'Robin',
			lastName: 'van Achterberg',
			contactEmail: 'robin@achterberg.example',
			contactPhone: '303-555-0177',
			location: { street: '12 Juniper Way', city: 'Boulder', postalCode: '80302' },
		},
		areas: [],
	});
	expect(control().proposals().at(-1)).toMatchObject({
		internal_notes: 'Home theater in the basement\nSource: Website\nPhone: 303-555-0177\nLead L-1',
	});
});

it('creates only one proposal per key, even for simultaneous requests', async () => {
	const before = counts();
	const first = newest();
	expect(await send({ ...lead, name: 'Another name' })).toEqual({
		status: 200,
		body: { number: first.number, link: linkTo(first.id), problem: null },
	});
	expect(counts()).toEqual(before);
	const twice = { ...lead, key: 'L-2' };
	const responses = await Promise.all([send(twice), send(twice)]);
	expect(counts()).toEqual([before[0]! + 1, before[1]]);
	const statuses = responses.map(({ status }) => status).sort();
	expect([
		[200, 200],
		[200, 409],
	]).toContainEqual(statuses);
});

it('reuses the contact and location', async () => {
	const { customer } = newest();
	const elsewhere = { ...address, street: '12 juniper way.' };
	const phone = '303-555-0177 ext. 12, ask for Robin';
	const before = control().contacts().length;
	await send({ ...lead, key: 'L-3', phone, address: elsewhere });
	expect(newest().customer).toMatchObject({ id: customer.id, location: customer.location });
	expect(control().contacts()).toHaveLength(before);
	expect(String(control().proposals().at(-1)!.internal_notes)).toContain(`Phone: ${phone}`);
	const first = { ...lead, key: 'L-8', email: 'new@achterberg.example', phone };
	expect((await send(first)).status).toBe(200);
	expect(newest().customer.contactPhone).toBeUndefined();
});

it('creates the proposal even if its address is rejected', async () => {
	const rejected = { ...lead, key: 'L-9', address: { street: 'x'.repeat(300) } };
	const response = await send(rejected);
	expect(response).toEqual({
		status: 200,
		body: {
			number: newest().number,
			link: linkTo(newest().id),
			problem: expect.stringContaining("'Street'"),
		},
	});
});

it.each([
	{ key: 'L-4', name: 'Kim' },
	// Send empty fields, as website forms do.
	{ key: 'L-10', name: 'Kim', phone: '', address: '', notes: '', source: null },
	{ key: 'L-11', name: 'Robin van Achterberg-Montgomery and Jamie van Achterberg-Montgomery' },
])('creates a proposal from only a name and email: %j', async (fields) => {
	const response = await send({ ...fields, email: `${fields.key}@clients.example` });
	expect(response).toEqual({
		status: 200,
		body: { number: newest().number, link: linkTo(newest().id), problem: null },
	});
	expect(newest().name).toBe(`${fields.name}: inquiry ${fields.key}`);
});

it.each([
	{ key: 'L-5', phone: '1' },
	{ key: 'L-5', name: 'Kim', email: 'kim' },
	{ key: '', name: 'Kim', email: 'kim@clients.example' },
	// Expect an error for an address that is a string, because the address would otherwise be lost.
	{ key: 'L-5', name: 'Kim', email: 'kim@clients.example', address: '12 Juniper Way' },
	{ key: 'L-5', name: { first: 'Kim' }, email: 'kim@clients.example' },
	{ key: 'L-5', name: 'Kim', email: 'kim@clients.example', phone: ['303-555-0177'] },
])('rejects an invalid lead: %j', async (invalid) => {
	const before = counts();
	const problem =
		'A lead needs key, name, and email, an address needs a street, and everything else is text';
	expect(await send(invalid)).toEqual({ status: 400, body: { number: null, link: null, problem } });
	expect(counts()).toEqual(before);
});

it.each(['contact.create', 'proposal.create'])(
	'creates only one proposal if a key is sent again after %s failed',
	async (operationId) => {
		const email = `${operationId}@clients.example`;
		const failing = { key: operationId, name: 'Lou Late', email };
		const before = counts();
		control().failNext({ operationId, status: 403 });
		expect(await send(failing)).toMatchObject({ status: 502, body: { number: null, link: null } });
		await until('the failed execution', async () =>
			(await finishedExecutions(environment(), workflow())).find(
				({ status }) => status === 'error',
			),
		);
		expect((await send(failing)).status).toBe(200);
		expect(counts()).toEqual(before.map((count) => count + 1));
	},
);

it('rejects a lead without the secret header', async () => {
	// Include unfinished executions, because one from an earlier test might still be running.
	const executions = async () => await environment().n8n.executions({ workflowId: workflow().id });
	const { length } = await executions();
	expect((await send(lead, { ...callerHeader, value: 'guessed' })).status).toBe(403);
	expect(await executions()).toHaveLength(length);
});
