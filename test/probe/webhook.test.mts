/** What strangers can send to the public address of the webhook test. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../testbed/ports.mts';
import { run } from './running.mts';

/** Runs the AI work, and sends something to the listener before its first request. */
async function runWith(stranger: (port: number) => Promise<unknown>) {
	const port = await freePort();
	let sent: Promise<unknown> | undefined;
	const { report } = await run(
		{},
		{
			ai: true,
			webhook: { url: `http://127.0.0.1:${port}/`, port },
			onRequest: (url) => {
				if (url.endsWith('/public/ai/generate-outline')) sent ??= stranger(port);
			},
		},
	);
	expect(sent).toBeDefined();
	await sent;
	return report;
}

const TYPES = ['proposal.build.status_update', 'proposal.outline.status_update'];

describe('a stranger', () => {
	test('who closes in the middle of a body does not end the probe', async () => {
		const report = await runWith(async (port) => {
			const socket = connect(port, '127.0.0.1');
			await once(socket, 'connect');
			socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc', () =>
				socket.destroy(),
			);
			await once(socket, 'close');
		});
		expect(report.endedEarly).toBeUndefined();
		expect(Object.keys(report.facts.webhook as object).sort()).toEqual(TYPES);
	});

	test('gets nothing into the report', async () => {
		const bodies = [
			'{"type":"Jane Roe owes","data":{"status":"Marguerite"},"Lobby":1}',
			'{"type":"__proto__","data":"Jane Roe"}',
			'5',
			'{bad',
		];
		const report = await runWith(async (port) => {
			for (const body of bodies) {
				const headers = { 'x-jane-roe': '1' };
				await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
			}
			const headers = { 'X-Webhook-Signature': `t=1,v1=${'0'.repeat(64)}` };
			await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers });
		});
		expect(JSON.stringify(report)).not.toMatch(/jane|marguerite|lobby|__proto__/i);
		expect(Object.keys(report.facts.webhook as object).sort()).toEqual(TYPES);
		expect(report.facts.webhookRefused).toEqual({ 'no signature': 4, 'too old': 1 });
	});
});
