/** The credential picked in n8n's own HTTP Request node: the way to what our node does not cover. */
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { portal, type Part } from '../../dev/testbed/workflowBuilder.mts';
import { newRequests, runOnce } from './handRuns.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

/** A step that sends a request with the credential. */
const request = (method: string, path: string, more: object = {}, typeVersion = 4.2): Part => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion,
	parameters: {
		method,
		url: `${environment().simulator.url}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'portalIoApi',
		options: {},
		...more,
	},
});
const pairs = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const { staleAudio, staleOffice, staleTheater } = seed.proposals;
const description = `/public/proposals/${staleAudio}/description`;

test('signs a GET with a query', async () => {
	const queryParameters = pairs({ Statuses: 'Draft', SearchText: 'Holt theater', PageSize: '5' });
	const step = request('GET', '/public/proposals', { sendQuery: true, queryParameters });
	const execution = await runOnce(environment(), 'GET', [step]);
	const [answer] = itemsOf(execution, 'HTTP Request');
	expect(answer!.proposals).toMatchObject([{ id: staleTheater }]);
});

test('signs a JSON body', async () => {
	const contactId = seed.contacts.withPrimary;
	const step = request('POST', `/public/proposals/${staleOffice}/contact/${contactId}`, {
		sendBody: true,
		contentType: 'json',
		specifyBody: 'json',
		jsonBody: { proposalId: staleOffice, contactId },
	});
	await runOnce(environment(), 'JSON', [step]);
	expect(environment().simulator.control.proposal(staleOffice).customer.id).toBe(contactId);
});

test('signs a form, and a DELETE without a body', async () => {
	const { control } = environment().simulator;
	const text = 'Wände & Decken: 50 % + Tür=auf';
	const form = request('POST', description, {
		sendBody: true,
		contentType: 'form-urlencoded',
		bodyParameters: pairs({ Description: text }),
	});
	await runOnce(environment(), 'Form', [form]);
	expect(control.proposal(staleAudio).projectDescription).toBe(text);

	const url = 'https://hooks.dealer-automation.com/somewhere';
	const id = control.addSubscription({ url, events: 'proposal.status_changed' });
	const unsubscribe = request('DELETE', `/public/webhook/unsubscribe/${id}`);
	await runOnce(environment(), 'DELETE', [unsubscribe]);
	expect(control.subscriptions()).toEqual([]);
});

const file: Part = {
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'toJson', binaryPropertyName: 'data', options: {} },
};
const upload = (typeVersion: number) => {
	const parameters = [
		{ parameterType: 'formData', name: 'name', value: 'A note' },
		{ parameterType: 'formBinaryData', name: 'note.txt', inputDataFieldName: 'data' },
	];
	const body = { contentType: 'multipart-form-data', bodyParameters: { parameters } };
	return request('POST', description, { sendBody: true, ...body }, typeVersion);
};

test('signs a file in a multipart form', async () => {
	const requests = newRequests(environment());
	await runOnce(environment(), 'File', [file, upload(4.2)]);
	const sent = requests().filter(({ method }) => method === 'POST');
	expect(sent.length).toBeGreaterThan(0);
	for (const { headers, status } of sent) {
		expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
		// The simulator answers a wrong signature with 401.
		expect(status).toBe(200);
	}
});

test('says why it cannot sign a file from the older node, which chooses the boundary later', async () => {
	const requests = newRequests(environment());
	const { error } = await runOnce(environment(), 'File, older node', [file, upload(4.1)]);
	expect(`${error?.message} ${error?.description}`).toMatch(/cannot be signed.*boundary/s);
	expect(requests().filter(({ method }) => method === 'POST')).toEqual([]);
});

const pages = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'PageNumber', value: '={{ $pageCount + 1 }}' }] },
	limitPagesFetched: true,
	maxRequests: 2,
};
const withoutRenewal = {
	Pagination: { pagination: { pagination: pages } },
	'Never Error': { response: { response: { neverError: true, fullResponse: true } } },
};

test.each(Object.entries(withoutRenewal))(
	'reads with %s once a Portal.io node before it has renewed the key, which n8n does not',
	async (name, options) => {
		const { simulator } = environment();
		const list = request('GET', '/public/proposals', { options });
		simulator.control.expireUserKeys();
		const alone = await runOnce(environment(), `${name} alone`, [list]);
		const [refused] = itemsOf(alone, 'HTTP Request');
		if (name === 'Pagination')
			expect(alone.error?.message).toBe('Authorization failed - please check your credentials');
		else expect(refused!.statusCode).toBe(401);

		const users = { ...portal({ resource: 'user', operation: 'getMany' }), executeOnce: true };
		simulator.control.expireUserKeys();
		const after = await runOnce(environment(), `${name} after a node`, [users, list]);
		expect(after.error).toBeUndefined();
		expect(JSON.stringify(itemsOf(after, 'HTTP Request')[0])).toContain('"proposals":');
	},
);
