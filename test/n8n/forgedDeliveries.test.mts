/** Forged deliveries over the socket; `test/properties` has thousands more without one. */
import { describe, expect, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import { forgeries } from '../properties/forgeries.mts';
import { client, post, signatureHeader } from './delivery.mts';
import { activeWorkflow, EVENTS, OTHERS, subscriptionsOf } from './held.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const workflow = activeWorkflow(stage);
const { held } = subscriptionsOf(stage);
const executions = () => stage().n8n.executions({ workflowId: workflow().id });

describe('a forged delivery', () => {
	test('over the socket is refused, starts nothing and leaves n8n as it was', async () => {
		const { url, secret_key: secret } = held().find(
			(one) => one.url !== OTHERS && one.events === EVENTS[2],
		)!;
		const body = Buffer.from(JSON.stringify({ id: 'evt_forged', type: EVENTS[2], data: {} }));
		const time = Math.floor(Date.now() / 1000);
		const digestOf = async (key: string, at: number) =>
			signatureHeader(String(body), key, at).split('v1=')[1]!;
		const corpus = forgeries({
			time,
			digest: await digestOf(secret, time),
			body,
			wrongSecret: await digestOf('another secret', time),
			old: { time: time - 3600, digest: await digestOf(secret, time - 3600) },
		});
		const before = executions().length;
		const statuses: Record<number, number> = {};
		// Some of each kind; what no HTTP client would send is left out.
		const kinds = new Map<string, number>();
		const sent = corpus
			.filter(({ header = 'none' }) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(header))
			.filter(({ kind }) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1).get(kind)! <= 15);
		for (const { header, body: text } of sent) {
			const { status } = await client.post(url, text, {
				headers: {
					'Content-Type': 'text/plain',
					...(header !== undefined && { 'X-Webhook-Signature': header }),
				},
			});
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
		// 431: Node itself refuses a header of more than 16 kB.
		expect(Object.keys(statuses).filter((status) => status !== '431')).toEqual(['401']);
		expect(statuses[401]).toBeGreaterThan(200);
		expect(executions()).toHaveLength(before);
		const text = 'signed, and no JSON';
		const signature = signatureHeader(text, secret);
		const { status } = await client.post(url, text, {
			headers: { 'Content-Type': 'text/plain', 'X-Webhook-Signature': signature },
		});
		expect(status).toBe(400);
		expect(executions()).toHaveLength(before);
		expect(await post(url, String(body), `t=${time},v1=${await digestOf(secret, time)}`)).toBe(200);
		await until('the genuine one', () => executions().length === before + 1 || undefined);
	});
});
