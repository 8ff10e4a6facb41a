/** Uses the credential in n8n's HTTP Request node, which reaches endpoints that our node does not cover. */
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import {
	base,
	formFields,
	httpRequest,
	namedValues,
	portal,
	type Part,
} from '../../dev/testbed/workflowBuilder.mts';
import { newRequests, runOnce } from './executions.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

/** Creates a step that sends a request with the credential. The step's name is the method. */
const request = (method: string, path: string, more: object = {}, version?: number): Part => ({
	...httpRequest({ method, url: `${environment().simulator.url}${path}`, ...more }, version),
	name: method,
});
const { staleAudio, staleOffice, staleTheater } = seed.proposals;
const description = `/public/proposals/${staleAudio}/description`;

it('signs requests with a query, JSON, or a form, and a DELETE request without a body', async () => {
	const { control } = environment().simulator;
	const contactId = seed.contacts.withPrimary;
	const text = 'Wände & Decken: 50 % + Tür=auf';
	const url = 'https://hooks.dealer-automation.com/somewhere';
	const id = control.addSubscription({ url, events: 'proposal.status_changed' });
	const execution = await runOnce(environment(), [
		request('GET', '/public/proposals', {
			sendQuery: true,
			queryParameters: namedValues({
				Statuses: 'Draft',
				SearchText: 'Holt theater',
				PageSize: '5',
			}),
		}),
		{
			...request('POST', `/public/proposals/${staleOffice}/contact/${contactId}`, {
				sendBody: true,
				contentType: 'json',
				specifyBody: 'json',
				jsonBody: { proposalId: staleOffice, contactId },
			}),
			name: 'JSON',
		},
		request('POST', description, formFields({ Description: text })),
		request('DELETE', `/public/webhook/unsubscribe/${id}`),
	]);
	expect(execution.error).toBeUndefined();
	expect(itemsOf(execution, 'GET')[0]!.proposals).toMatchObject([{ id: staleTheater }]);
	expect(control.proposal(staleOffice).customer.id).toBe(contactId);
	expect(control.proposal(staleAudio).projectDescription).toBe(text);
	expect(control.subscriptions()).toEqual([]);
});

const toFile = { operation: 'toJson', binaryPropertyName: 'data' };
const file = base('File', 'convertToFile', toFile, 1.1);
const upload = (typeVersion: number) => {
	const parameters = [
		{ parameterType: 'formData', name: 'name', value: 'A note' },
		{ parameterType: 'formBinaryData', name: 'note.txt', inputDataFieldName: 'data' },
	];
	const body = { contentType: 'multipart-form-data', bodyParameters: { parameters } };
	return request('POST', description, { sendBody: true, ...body }, typeVersion);
};

it('signs a multipart form with a file, except in version 4.1 of the HTTP Request node', async () => {
	const requests = newRequests(environment());
	const { error } = await runOnce(environment(), [file, upload(4.1)]);
	// The old version of the node chooses the multipart boundary after signing, so the form cannot be signed.
	expect(`${error?.message} ${error?.description}`).toMatch(/cannot be signed.*boundary/s);
	const sent = () => requests().filter(({ method }) => method === 'POST');
	expect(sent()).toEqual([]);
	await runOnce(environment(), [file, upload(4.2)]);
	expect(sent().length).toBeGreaterThan(0);
	for (const { headers, status } of sent()) {
		expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
		// The simulator responds with 401 if the signature is wrong.
		expect(status).toBe(200);
	}
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

it.each(Object.entries(withoutRenewal))(
	'with the option %s, needs an earlier Portal.io step to renew the user API key',
	async (name, options) => {
		const { simulator } = environment();
		const list = request('GET', '/public/proposals', { options });
		const users = { ...portal({ resource: 'user', operation: 'getMany' }), executeOnce: true };
		await runOnce(environment(), [users]);
		simulator.control.expireUserKeys();
		const requests = newRequests(environment());
		const firstRun = await runOnce(environment(), [list]);
		expect(requests().map(({ status }) => status)).toEqual([401]);
		expect(firstRun.error?.message).toBe(
			name === 'Pagination'
				? 'Authorization failed - please check your credentials'
				: // Portal.io rejects a key with plain text, but n8n expects JSON to be an object.
					'Response body is not valid JSON. Change "Response Format" to "Text"',
		);

		simulator.control.expireUserKeys();
		const secondRun = await runOnce(environment(), [users, list]);
		expect(secondRun.error).toBeUndefined();
		expect(JSON.stringify(itemsOf(secondRun, 'GET')[0])).toContain('"proposals":');
	},
);
