import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client, fieldsOf } from './client.mts';
import { boundary, field, file, multipart } from './multipart.mts';
import { startForTest } from './start.mts';

let simulator: Simulator;
let client: Client;

beforeEach(async () => {
	({ simulator, client } = await startForTest());
});

/** For a machine that is busy with other things. */
const patient = { timeout: 15_000 };

const { aiContents, aiOutlines, proposals } = seed;
const generate = (proposalId: number, one = client) =>
	one.json('/public/ai/generate-outline', { proposalId });
const build = (proposalId: number, one = client) =>
	one.json('/public/ai/build-proposal', { proposalId });
const outlineOf = async (id: number): Promise<Json> =>
	(await client.get(`/public/api/proposals/${id}/ai/outline`)).json;
const contentsOf = async (id: number, one = client): Promise<Json[]> =>
	(await one.get(`/public/ai/content?ProposalId=${id}`)).json.items;
const upload = (id: number, name: string, one = client) =>
	one.raw(
		'POST',
		`/public/api/proposals/${id}/ai/content`,
		multipart([field('name', name), file('walk.mp3', 'some sound')]),
		{ contentType: `multipart/form-data; boundary=${boundary}` },
	);
/** Lets every event be recorded, to an address that is never called. */
const subscribe = () =>
	client.form('/public/webhook/subscribe', {
		Url: 'https://receiver.example/hook',
		Events: ['proposal.outline.status_update', 'proposal.build.status_update'],
	});
const events = () =>
	simulator.control.deliveries().map((one) => {
		const { type, data } = JSON.parse(String(one.body));
		return { type, ...data };
	});

test('contents: both documented lists; deleting by both paths', async () => {
	const id = proposals.freshLighting;
	const list = await contentsOf(id);
	expect(list).toMatchObject([
		{ id: aiContents.transcribed, status: 'Transcribed', sourceType: 'Audio' },
		{ id: aiContents.invalid, status: 'Invalid', summary: '', userCreated: { firstName: 'Avery' } },
	]);
	const other = await client.get(`/public/api/proposals/${id}/ai/content`);
	expect(other.json).toEqual({ items: list });
	expect((await client.get('/public/ai/content')).status).toBe(400);
	const first = await client.delete(`/public/ai/content/${aiContents.invalid}`);
	expect(first.json).toEqual({ id: aiContents.invalid, deleted: true });
	const again = await client.delete(`/public/ai/content/${aiContents.invalid}`);
	expect([again.status, again.json.message]).toEqual([404, 'Content not found.']);
	const wrong = `/public/api/proposals/${proposals.empty}/ai/content/${aiContents.transcribed}`;
	expect((await client.delete(wrong)).status).toBe(404);
	const second = `/public/api/proposals/${id}/ai/content/${aiContents.transcribed}`;
	expect((await client.delete(second)).json.deleted).toBe(true);
	expect(await contentsOf(id)).toEqual([]);
	expect((await client.delete(`/public/ai/content/${aiContents.ofAccepted}`)).status).toBe(409);
});

test('content becomes Processing, then Transcribed or Invalid, each after its time', async () => {
	await simulator.stop();
	({ simulator, client } = await startForTest({ aiStepSeconds: 30, clockSpeed: 25 }));
	const id = proposals.empty;
	expect((await upload(id, 'Walk')).json).toMatchObject({ status: 'Uploaded', summary: '' });
	expect((await contentsOf(id))[0]!.status).toBe('Uploaded');
	expect((await generate(id)).status).toBe(400);
	await expect.poll(async () => (await contentsOf(id))[0]!.status, patient).toBe('Processing');
	await expect.poll(async () => (await contentsOf(id))[0]!.status, patient).toBe('Transcribed');
	expect((await contentsOf(id))[0]!.summary).not.toBe('');
	await upload(id, 'Background NOISE');
	expect(simulator.control.finishAi()).toBe(2);
	expect((await contentsOf(id)).map((one) => one.status)).toEqual(['Transcribed', 'Invalid']);
	expect(simulator.control.finishAi()).toBe(0);
});

test('outline: needs transcribed content; generated, completed, announced', async () => {
	await subscribe();
	const id = proposals.freshLighting;
	const none = await generate(proposals.empty);
	expect([none.status, none.json.errorCode]).toEqual([400, 'BadRequest']);
	expect((await client.get(`/public/api/proposals/${id}/ai/outline`)).status).toBe(404);
	const started = await generate(id);
	const { outlineId } = started.json;
	expect(started.json).toEqual({ proposalId: id, outlineId, status: 'Generating' });
	// asked again before it is there: the same one
	expect((await generate(id)).json.outlineId).toBe(outlineId);
	expect(await outlineOf(id)).toEqual({
		proposalId: id,
		outlineId,
		status: 'Generating',
		outline: null,
	});
	expect((await build(id)).status).toBe(400);
	expect(simulator.control.finishAi()).toBe(1);
	const done = await outlineOf(id);
	expect(done.status).toBe('Completed');
	expect(done.outline).toContain('# Adeyemi lighting\n\n## Media room\n');
	expect(done.outline).toContain('- 3 × Corvane CV-W5: In-wall LCR speaker\n');
	expect(done.outline).toContain('- Walk through the ground floor\n');
	expect(done.outline).not.toContain('Site noise');
	expect((await client.get(`/public/ai/outline/${outlineId}`)).json).toEqual(done);
	const next = await generate(id);
	expect(next.json.outlineId).toBeGreaterThan(outlineId);
	expect((await build(id)).status).toBe(400);
	simulator.control.finishAi();
	expect(events()).toEqual([
		{ type: 'proposal.outline.status_update', proposalId: id, outlineId, status: 'Completed' },
		{
			type: 'proposal.outline.status_update',
			proposalId: id,
			outlineId: outlineId + 1,
			status: 'Completed',
		},
	]);
});

test('a failing outline, once', async () => {
	await subscribe();
	const id = proposals.freshLighting;
	simulator.control.failNextOutline();
	await generate(id);
	simulator.control.finishAi();
	expect(await outlineOf(id)).toMatchObject({ status: 'Failed', outline: null });
	expect((await build(id)).status).toBe(400);
	await generate(id);
	simulator.control.finishAi();
	expect((await outlineOf(id)).status).toBe('Completed');
	expect(events().map((one) => one.status)).toEqual(['Failed', 'Completed']);
});

test('build: afterwards the proposal has the areas, options and items', async () => {
	await subscribe();
	const id = proposals.freshNetwork;
	const before = simulator.control.proposal(id);
	expect((await build(id)).json).toEqual({ proposalId: id, status: 'Building' });
	expect((await build(id)).json.status).toBe('Building');
	expect(simulator.control.proposal(id).areas).toEqual(before.areas);
	expect(simulator.control.finishAi()).toBe(1);
	const after = simulator.control.proposal(id);
	expect(after.areas.slice(0, 2)).toEqual(before.areas);
	expect(after.areas.slice(2).map((one: Json) => one.name)).toEqual(['Media room', 'Network']);
	// 1799 + 149.95 + 3 x 449 + 6.5 x 125, and 899 + 2 x 249 + 3 x 125
	expect(after.areas.slice(2).map((one: Json) => one.options[0].total)).toEqual([4108.45, 1772]);
	// 2513 + 3295.95 + 1397
	expect(after.financialSummary).toMatchObject({ partsSubtotal: 7205.95, laborTotal: 1562.5 });
	expect(after.lastModifiedByUserDate).toBe(before.lastModifiedByUserDate);
	expect(after.lastModifiedDate > before.lastModifiedDate).toBe(true);
	expect(events()).toEqual([
		{ type: 'proposal.build.status_update', proposalId: id, status: 'Completed' },
	]);
	await build(id);
	simulator.control.finishAi();
	expect(
		simulator.control
			.proposal(id)
			.areas.map((one: Json) => one.name)
			.slice(4),
	).toEqual(['Media room 2', 'Network 2']);
});

test('a failing build, and one whose proposal is accepted meanwhile, leave it as it is', async () => {
	await subscribe();
	const id = proposals.freshNetwork;
	const { areas } = simulator.control.proposal(id);
	simulator.control.failNextBuild();
	await build(id);
	simulator.control.finishAi();
	expect(simulator.control.proposal(id).areas).toEqual(areas);
	await build(id);
	simulator.control.accept(id);
	simulator.control.finishAi();
	expect(simulator.control.proposal(id).areas).toHaveLength(areas.length);
	expect(events().map((one) => one.status)).toEqual(['Failed', 'Failed']);
	expect((await build(id)).status).toBe(409);
	expect((await generate(id)).status).toBe(409);
});

test('who may: 403 for the restricted, 404 for strangers', async () => {
	const restricted = await new Client(simulator, seed.restricted).signIn();
	const id = proposals.freshNetwork;
	const reads = [
		`/public/api/proposals/${id}/ai/outline`,
		`/public/ai/outline/${aiOutlines.completed}`,
	];
	for (const path of reads) expect((await restricted.get(path)).status).toBe(200);
	expect((await restricted.get(`/public/ai/content?ProposalId=${id}`)).status).toBe(403);
	for (const reply of [
		await generate(id, restricted),
		await build(id, restricted),
		await upload(id, 'Walk', restricted),
		await restricted.delete(`/public/ai/content/${aiContents.withOutline}`),
	]) {
		expect(reply.status).toBe(403);
	}
	const stranger = await new Client(simulator, seed.otherDealer).signIn();
	for (const path of [...reads, `/public/ai/content?ProposalId=${id}`]) {
		expect((await stranger.get(path)).status, path).toBe(404);
	}
	for (const reply of [
		await generate(id, stranger),
		await build(id, stranger),
		await upload(id, 'Walk', stranger),
		await stranger.delete(`/public/ai/content/${aiContents.withOutline}`),
	]) {
		expect(reply.status).toBe(404);
	}
	expect(await contentsOf(proposals.otherDraft, stranger)).toHaveLength(1);
});

test('the alternates of generate and build: the body must name the proposal of the path', async () => {
	const id = proposals.freshNetwork;
	for (const path of ['outline', 'build']) {
		const target = `/public/proposals/${id}/ai/${path}`;
		const wrong = await client.json(target, { proposalId: proposals.empty });
		expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['proposalId']]);
		expect((await client.json(target, { proposalId: String(id) })).status).toBe(400);
		expect((await client.form(target, { proposalId: id })).status).toBe(415);
		// the build comes second and waits for the outline, which is being made again
		const reply = await client.json(target, { proposalId: id });
		expect(reply.status).toBe(path === 'outline' ? 200 : 400);
		if (path === 'build') {
			simulator.control.finishAi();
			expect((await client.json(target, { proposalId: id })).json.status).toBe('Building');
		}
	}
});

test('a restart keeps what is pending, and does what came due meanwhile', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
	const database = join(folder, 'state.sqlite');
	const start = async (aiStepSeconds: number) => {
		await simulator.stop();
		({ simulator, client } = await startForTest({ database, aiStepSeconds }));
	};
	try {
		await start(0.05);
		await upload(proposals.freshNetwork, 'Walk');
		await generate(proposals.freshLighting);
		await build(proposals.freshNetwork);
		await start(0.05);
		await expect
			.poll(() => simulator.control.proposal(proposals.freshNetwork).areas.length, patient)
			.toBe(4);
		await expect
			.poll(async () => (await outlineOf(proposals.freshLighting)).status, patient)
			.toBe('Completed');
		await expect
			.poll(async () => (await contentsOf(proposals.freshNetwork)).at(-1)!.status, patient)
			.toBe('Transcribed');
		expect(simulator.control.uploads()).toHaveLength(1);
		await generate(proposals.freshLighting);
		await simulator.stop();
		await sleep(100);
		({ simulator, client } = await startForTest({ database, aiStepSeconds: 1000 }));
		expect((await outlineOf(proposals.freshLighting)).status).toBe('Completed');
		await simulator.stop();
		const file = new DatabaseSync(database);
		file.exec('PRAGMA user_version = 1');
		file.close();
		await expect(startSimulator({ database })).rejects.toThrow('another version');
	} finally {
		rmSync(folder, { recursive: true });
	}
});
