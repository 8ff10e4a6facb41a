/** Thousands of forged deliveries through n8n's own webhook context: none gets in. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hmac } from '../vectors/hmac.mts';
import { seed, startService } from '../wire/account.mts';
import { forgeries, type Forgery } from './forgeries.mts';
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

let service: Awaited<ReturnType<typeof startService>>;
let node: ReturnType<typeof triggerNode>;
let secret: string;
let corpus: Forgery[];
let time: number;
beforeAll(async () => {
	service = await startService();
	node = triggerNode({ credential: service.credential(), parameters: { events: [EVENT] } });
	await node.create();
	secret = String(service.control.subscriptions()[0]!.secret_key);
	time = Math.floor(Date.now() / 1000);
	const old = time - 3600;
	corpus = forgeries({
		time,
		digest: digestOf(secret, time),
		body,
		wrongSecret: digestOf('another secret', time),
		old: { time: old, digest: digestOf(secret, old) },
	});
	service.control.clearRequests();
});
afterAll(async () => await service.simulator.stop());

describe('a forged delivery', () => {
	it('comes in thousands of forms', () => expect(corpus.length).toBeGreaterThan(5000));

	it('is refused with 401 and nothing else, costs no request and leaves no trace', async () => {
		const before = JSON.stringify(node.staticData());
		const lines: string[] = [];
		// Where n8n's logger writes to, in the worker of a test as everywhere.
		const { _stdout: stdout } = console as unknown as { _stdout: NodeJS.WriteStream };
		const log = vi.spyOn(stdout, 'write').mockImplementation((text) => {
			lines.push(String(text));
			return true;
		});
		for (const { kind, header, body: sent } of corpus) {
			const headers = header === undefined ? {} : { 'x-webhook-signature': header };
			const outcome = await node.receive(headers as Record<string, string>, sent);
			expect(outcome, `${kind}: ${header?.slice(0, 200)}`).toEqual({
				noWebhookResponse: true,
				answer: { status: 401, ended: true },
			});
		}
		log.mockRestore();
		expect(lines).toHaveLength(corpus.length);
		expect(lines.filter((line) => !line.includes('delivery refused, '))).toEqual([]);
		expect(lines.join('')).not.toContain(secret);
		expect(lines.join(''), 'of a body').not.toContain('evt_1');
		expect(JSON.stringify(node.staticData())).toBe(before);
		expect(service.control.requests).toEqual([]);
	});

	it('does not keep the genuine one out', async () => {
		const header = { 'x-webhook-signature': `t=${time},v1=${digestOf(secret, time)}` };
		expect(await node.receive(header, body)).toHaveProperty('workflowData');
	});
});
