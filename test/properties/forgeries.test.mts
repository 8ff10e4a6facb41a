/** Thousands of forged deliveries through n8n's own webhook context: none gets in. */
import { expect, it, vi } from 'vitest';
import { hmac } from '../vectors/hmac.mts';
import { fileService, seed } from '../wire/account.mts';
import { forgeries } from './forgeries.mts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';

const EVENT = 'proposal.status_changed';
const body = Buffer.from(
	JSON.stringify({
		id: 'evt_1',
		type: EVENT,
		created: '2026-04-06T00:22:19Z',
		data: { id: seed.proposals.accepted, status: 'Accepted', name: 'Küche' },
	}),
);
const digestOf = (secret: string, time: number) =>
	hmac(secret, Buffer.concat([Buffer.from(`${time}.`), body])).toString('hex');

const service = fileService();

it('rejects a forged delivery with 401, without a request or a trace, and lets in the genuine one', async () => {
	const node = triggerNode({ credential: service.account, parameters: { events: [EVENT] } });
	await node.create();
	service.control.clearRequests();
	const secret = String(service.control.subscriptions()[0]!.secret_key);
	const time = Math.floor(Date.now() / 1000);
	const digest = digestOf(secret, time);
	const old = time - 3600;
	const corpus = forgeries({
		time,
		digest,
		body,
		wrongSecret: digestOf('another secret', time),
		old: { time: old, digest: digestOf(secret, old) },
	});
	expect(corpus.length).toBeGreaterThan(3000);

	const before = JSON.stringify(node.staticData());
	const lines: string[] = [];
	const { _stdout: stdout } = console as unknown as { _stdout: NodeJS.WriteStream };
	const log = vi.spyOn(stdout, 'write').mockImplementation((text) => {
		lines.push(String(text));
		return true;
	});
	for (const { header, body: sent } of corpus) {
		const headers: Record<string, string> = {};
		if (header !== undefined) headers['x-webhook-signature'] = header;
		expect(await node.receive(headers, sent), header?.slice(0, 200)).toEqual({
			noWebhookResponse: true,
			answer: { status: 401, ended: true },
		});
	}
	log.mockRestore();
	expect(lines).toHaveLength(corpus.length);
	expect(lines.filter((line) => !line.includes('delivery rejected: '))).toEqual([]);
	expect(lines.join('')).not.toContain(secret);
	expect(lines.join(''), 'of a body').not.toContain('evt_1');
	expect(JSON.stringify(node.staticData())).toBe(before);
	expect(service.control.requests).toEqual([]);

	const genuine = { 'x-webhook-signature': `t=${time},v1=${digest}` };
	expect(await node.receive(genuine, body)).toHaveProperty('workflowData');
});
