/** The credential picked in n8n's own HTTP Request node: the way to what our node does not cover. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { seed } from '../../simulator/index.mts';
import type { Part } from '../../testbed/workflowBuilder.mts';
import { newRequests, runOnce } from './runs.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();

const request = (
	method: string,
	path: string,
	more: Record<string, unknown> = {},
	typeVersion = 4.2,
): Part => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion,
	parameters: {
		method,
		url: `${stage().simulator.url}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'portalIoApi',
		options: {},
		...more,
	},
});
const pairs = (values: Record<string, string>) => ({
	parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
});
let requests: ReturnType<typeof newRequests>;
const run = async (name: string, ...parts: Part[]) => {
	requests = newRequests(stage());
	return await runOnce(stage(), name, parts);
};

describe("n8n's HTTP Request node with the credential", () => {
	test('signs a GET with a query', async () => {
		const execution = await run(
			'GET',
			request('GET', '/public/proposals', {
				sendQuery: true,
				queryParameters: pairs({ Statuses: 'Draft', SearchText: 'Holt theatre', PageSize: '5' }),
			}),
		);
		expect(execution.status).toBe('success');
		const [answer] = itemsOf(execution, 'HTTP Request');
		expect(answer!.proposals).toMatchObject([{ id: seed.proposals.staleTheatre }]);
	});

	test('signs a JSON body', async () => {
		const proposalId = seed.proposals.staleOffice;
		const contactId = seed.contacts.withPrimary;
		const execution = await run(
			'JSON',
			request('POST', `/public/proposals/${proposalId}/contact/${contactId}`, {
				sendBody: true,
				contentType: 'json',
				specifyBody: 'json',
				jsonBody: { proposalId, contactId },
			}),
		);
		expect(execution.error).toBeUndefined();
		expect(stage().simulator.control.proposal(proposalId).customer.id).toBe(contactId);
	});

	test('signs a form', async () => {
		const text = 'Wände & Decken: 50 % + Tür=auf';
		const execution = await run(
			'Form',
			request('POST', `/public/proposals/${seed.proposals.staleAudio}/description`, {
				sendBody: true,
				contentType: 'form-urlencoded',
				bodyParameters: pairs({ Description: text }),
			}),
		);
		expect(execution.error).toBeUndefined();
		const { projectDescription } = stage().simulator.control.proposal(seed.proposals.staleAudio);
		expect(projectDescription).toBe(text);
	});

	test('signs a DELETE without a body', async () => {
		const url = 'https://hooks.dealer-automation.com/somewhere';
		await run(
			'Subscribe',
			request('POST', '/public/webhook/subscribe', {
				sendBody: true,
				contentType: 'form-urlencoded',
				bodyParameters: pairs({ Url: url, Events: 'proposal.status_changed' }),
			}),
		);
		const [subscription] = stage().simulator.control.subscriptions();
		expect(subscription).toMatchObject({ url });
		const execution = await run(
			'DELETE',
			request('DELETE', `/public/webhook/unsubscribe/${subscription!.id}`),
		);
		expect(execution.error).toBeUndefined();
		expect(stage().simulator.control.subscriptions()).toEqual([]);
	});

	test('signs a multipart form of text fields, whose boundary is known before', async () => {
		await run(
			'Multipart',
			request('POST', `/public/proposals/${seed.proposals.staleAudio}/description`, {
				sendBody: true,
				contentType: 'multipart-form-data',
				bodyParameters: {
					parameters: [{ parameterType: 'formData', name: 'Description', value: 'in parts' }],
				},
			}),
		);
		// The simulator knows no operation that takes it; it says so after it has checked the
		// signature, whose content type carries the boundary.
		const sent = requests().filter(({ method }) => method === 'POST');
		expect(sent.length).toBeGreaterThan(0);
		for (const { headers, status } of sent) {
			expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
			expect(status).toBe(415);
		}
	});

	const file: Part = {
		name: 'File',
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: { operation: 'toJson', binaryPropertyName: 'data', options: {} },
	};
	const upload = (typeVersion: number) =>
		request(
			'POST',
			`/public/proposals/${seed.proposals.staleAudio}/description`,
			{
				sendBody: true,
				contentType: 'multipart-form-data',
				bodyParameters: {
					parameters: [
						{ parameterType: 'formData', name: 'name', value: 'A note' },
						{ parameterType: 'formBinaryData', name: 'note.txt', inputDataFieldName: 'data' },
					],
				},
			},
			typeVersion,
		);

	test('signs a file in a multipart form, as the node knows the boundary before', async () => {
		await run('File', file, upload(4.2));
		const sent = requests().filter(({ method }) => method === 'POST');
		expect(sent.length).toBeGreaterThan(0);
		for (const { headers, status } of sent) {
			expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
			expect(status).toBe(415);
		}
	});

	test('says why it cannot sign a file from the older node, which makes it up later', async () => {
		const execution = await run('File, older node', file, upload(4.1));
		expect(execution.status).toBe('error');
		expect(`${execution.error?.message} ${execution.error?.description}`).toMatch(
			/cannot be signed.*boundary/s,
		);
		expect(requests().filter(({ method }) => method === 'POST')).toEqual([]);
	});

	test('does not follow a redirect to another host', async () => {
		const visits: (string | undefined)[] = [];
		const stranger = createServer((visit, response) => {
			visits.push(visit.url);
			response.end('{}');
		});
		await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
		const { port } = stranger.address() as AddressInfo;
		const { control } = stage().simulator;
		// n8n renews the key and tries once more after any failure of this node.
		control.failNext({
			operationId: 'proposal.getMany',
			times: 2,
			status: 302,
			headers: { Location: `http://localhost:${port}/elsewhere` },
			body: '',
		});
		const execution = await run('Redirect', request('GET', '/public/proposals'));
		control.clearFaults();
		stranger.close();
		expect(visits).toEqual([]);
		expect(execution.status).toBe('error');
	});
});
