/**
 * What strangers may send besides a wrong signature: bodies in every form that n8n itself unpacks
 * before it asks the trigger, and bodies that are to choke whoever reads them.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { client, signatureHeader } from './delivery.mts';
import { activeWorkflow, EVENTS, subscriptionsOf } from './held.mts';
import { sharedStage } from './stages.mts';

const MB = 1024 * 1024;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const boundary = 'a-boundary';
const form = [
	`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.json"`,
	'Content-Type: application/json',
	'',
	`{"type":"${EVENTS[2]}"}`,
	`--${boundary}--\r\n`,
].join('\r\n');

interface Parcel {
	type: string;
	body: string | Buffer;
	encoding?: string;
	/** What n8n answers by itself, where it does not ask the trigger. */
	byN8n?: number;
}

const parcels: Record<string, Parcel> = {
	'JSON that is none': { type: 'application/json', body: '{"id":', byN8n: 422 },
	'JSON a million levels deep': { type: 'application/json', body: deep(1_000_000) },
	'objects a hundred thousand levels deep': {
		type: 'application/json',
		body: '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
	},
	'a million keys': {
		type: 'application/json',
		body: JSON.stringify(Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [i, 0]))),
	},
	'a prototype': {
		type: 'application/json',
		body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
	},
	'more than n8n takes': {
		type: 'application/json',
		body: JSON.stringify('x'.repeat(17 * MB)),
		byN8n: 500,
	},
	'little that unpacks to more than n8n takes': {
		type: 'application/json',
		body: gzipSync(Buffer.alloc(200 * MB, ' ')),
		encoding: 'gzip',
		byN8n: 500,
	},
	'what is said to be packed and is not': {
		type: 'application/json',
		body: '{}',
		encoding: 'gzip',
		byN8n: 500,
	},
	'XML with entities in entities': {
		type: 'application/xml',
		body: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>`,
		byN8n: 422,
	},
	'a form with a file': {
		type: `multipart/form-data; boundary=${boundary}`,
		body: form,
	},
	'a form': {
		type: 'application/x-www-form-urlencoded',
		body: 'a=1&'.repeat(100_000),
	},
	'a body of no type': { type: '', body: '{"id":"evt_1"}' },
	nothing: { type: 'application/json', body: '' },
};

const stage = sharedStage();
const workflow = activeWorkflow(stage, { once: true });

const { addressOf } = subscriptionsOf(stage);
const executions = () => stage().n8n.executions({ workflowId: workflow().id });

describe('a stranger', () => {
	test.for(Object.entries(parcels))(
		'starts nothing and ends nothing with %s',
		async ([, { type, body, encoding, byN8n }]) => {
			const before = executions().length;
			// As bytes: text that is no JSON would be made some by the client.
			const answering = client.post(addressOf(workflow()), Buffer.from(body), {
				headers: {
					'Content-Type': type || false,
					...(encoding && { 'Content-Encoding': encoding }),
					'X-Webhook-Signature': signatureHeader('{}', 'a guess'),
				},
			});
			// n8n may hang up on a body that it refuses while it is still being sent.
			const answer = await answering.catch((error: NodeJS.ErrnoException) => {
				if (byN8n === undefined || !['EPIPE', 'ECONNRESET'].includes(error.code!)) throw error;
			});
			expect((await client.get(`${stage().n8n.url}/healthz`)).status).toBe(200);
			expect(executions()).toHaveLength(before);
			if (answer) expect(answer.status).toBe(byN8n ?? 401);
			if (byN8n === undefined) expect(answer!.data).toBe('');
		},
	);
});
