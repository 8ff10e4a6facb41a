/**
 * `npm run soak`: an hour at Portal.io in some minutes of a real n8n. Both triggers are active, events come in, a workflow works in bulk, user
 * keys end, and n8n and the service are restarted in between. At the end both sides have to agree on
 * every count, and n8n must not have grown. `npm run soak -- --minutes 20` takes a part of the hour.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installN8n } from '../../dev/testbed/n8n/install.mts';
import { installPackage } from '../../dev/testbed/n8n/installPackage.mts';
import { startN8n, type N8n, type StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { until } from '../../dev/testbed/until.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { processesOf } from '../../dev/testbed/n8n/kill.mts';
import { makeRunFolder } from '../../dev/testbed/tempFolder.mts';
import { credentialData } from '../../dev/testbed/environment.mts';
import {
	createChain,
	manualStart,
	noOp,
	pollingTrigger,
	portal,
	portalTrigger,
	type Part,
} from '../../dev/testbed/workflowBuilder.mts';
import { seed, startSimulator } from '../../dev/simulator/index.mts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
/** Of the service's time. */
const MINUTES = Number(values.minutes);
/** What a minute takes here: a second, and three for n8n to have something to do. */
const MINUTE_MILLISECONDS = 4000;
const EXPIRY_EVERY = 7;
const BULK_EVERY = 3;
/** What one run of the bulk workflow creates, as far as the catalog has as many. */
const BULK = 50;
/** Early, so that the memory of one process can be followed from then on. */
const N8N_RESTART = Math.round(MINUTES / 10);
const SERVICE_RESTART = Math.round(MINUTES / 2);
/** From here on memory is looked at. */
const WARM = Math.round(MINUTES * 0.35);
/** How far memory may lie at the end above where it lay after warming up. */
const MOST_GROWTH = 1.25;

const STATUSES = ['Submitted', 'ViewedByClient', 'Accepted', 'Declined', 'Delayed'];
const { submitted, submittedToo, viewed, delayed, declined } = seed.proposals;
const PROPOSALS = [submitted, submittedToo, viewed, delayed, declined];
const EVENTS_A_MINUTE = 3;

const say = (line: string) => console.log(line);

const folder = await makeRunFolder({ prefix: 'soak-' });
const settings = {
	database: join(folder.path, 'portal.sqlite'),
	// Seconds where Portal.io waits minutes.
	webhookRetrySeconds: [1, 5, 30, 120, 720],
	webhookTimeoutMs: 120_000,
};
let simulator = await startSimulator(settings);
let n8n: N8n | undefined;
try {
	await installN8n();
	await installPackage(folder.path);
	n8n = await startN8n({ folder: folder.path });
	await run(n8n);
} finally {
	await n8n?.stop();
	await simulator.stop();
	await folder.discard();
}

async function run(n8n: N8n): Promise<void> {
	const credential = await n8n.createCredential(
		'Portal.io',
		'portalIoApi',
		credentialData(simulator),
	);
	const place = { n8n, credential };
	const hooked = await createChain(place, 'Events', [
		portalTrigger(['proposal.status_changed']),
		noOp,
	]);
	const polled = await createChain(place, 'Polls', [pollingTrigger('proposalStatusChanged'), noOp]);
	const bulk = await createChain(place, 'Bulk', bulkWork());
	for (const workflow of [hooked, polled]) await n8n.activate(workflow);
	const contacts = countContacts();

	const memory: number[] = [];
	let created = 0;
	for (let minute = 1; minute <= MINUTES; minute++) {
		const over = sleep(MINUTE_MILLISECONDS);
		happen(minute);
		if (minute % EXPIRY_EVERY === 0) simulator.control.expireUserKeys();
		// Just as the events come: what n8n does not get to start any more must come again.
		if (minute === N8N_RESTART) await n8n.restart();
		if (minute === SERVICE_RESTART) await restartService();
		if (minute % BULK_EVERY === 0) {
			const execution = await n8n.runManually(bulk, 'Start');
			assert.equal(execution.status, 'success', 'the bulk workflow runs to its end');
			created += itemsOf(execution, 'Create').length;
		}
		if (minute > WARM) memory.push(residentMegabytes(n8n));
		await over;
	}

	await checkDeliveries(n8n, hooked);
	await checkPolls(n8n, polled);
	assert.ok(created > 0);
	assert.equal(countContacts() - contacts, created);
	say(`bulk: ${created} contacts created, and the service holds as many more`);
	checkMemory(memory);
	assert.deepEqual(simulator.control.contractViolations, []);
}

/** What happens in a minute at Portal.io. */
function happen(minute: number): void {
	for (let event = 0; event < EVENTS_A_MINUTE; event++) {
		const number = minute * EVENTS_A_MINUTE + event;
		const status = STATUSES[Math.floor(number / PROPOSALS.length) % STATUSES.length]!;
		simulator.control.setStatus(PROPOSALS[number % PROPOSALS.length]!, status);
	}
}

/** Something to make many inputs of, and something created for each. */
function bulkWork(): Part[] {
	const create = portal({
		resource: 'contact',
		operation: 'create',
		partyType: 'Person',
		contactType: 'Client',
		firstName: '=Soak {{ $json.id }}',
	});
	return [
		manualStart,
		{
			...portal({
				resource: 'catalog',
				operation: 'search',
				limit: BULK,
				filters: { itemType: 'Part' },
			}),
			name: 'Catalog',
		},
		{ ...create, name: 'Create' },
	];
}

async function restartService(): Promise<void> {
	const { port } = simulator;
	await simulator.stop();
	await sleep(2000);
	simulator = await startSimulator({ ...settings, port });
}

function countContacts(): number {
	return simulator.control.contacts().length;
}

/** Each event is one execution, and each execution one event. */
async function checkDeliveries(n8n: N8n, workflow: StoredWorkflow): Promise<void> {
	// The later retries are hours apart, which are minutes here.
	await Promise.race([
		simulator.control.whenDelivered(),
		sleep(900_000, undefined, { ref: false }),
	]);
	const deliveries = simulator.control.deliveries();
	assert.ok(deliveries.every(({ state }) => state === 'delivered'));
	const wanted = deliveries.map(({ event_id: id }) => String(id)).sort();
	const executed = () =>
		n8n
			.executions({ workflowId: workflow.id })
			.filter(({ status }) => status === 'success')
			.flatMap((one) => itemsOf<{ id: string }>(one, 'Portal.io Trigger').map(({ id }) => id))
			.sort();
	await until('all executions', () => executed().length >= wanted.length || undefined, 300_000);
	assert.deepEqual(executed(), wanted);
	const attempts = deliveries.reduce((sum, one) => sum + Number(one.attempts), 0);
	say(
		`webhook: ${wanted.length} events in ${attempts} deliveries, ${executed().length} executions, each event once`,
	);
}

/** The last status that was told of a proposal is the one that it has; none is told twice. */
async function checkPolls(n8n: N8n, workflow: StoredWorkflow): Promise<void> {
	const told = () =>
		n8n
			.executions({ workflowId: workflow.id })
			.filter(({ stoppedAt }) => stoppedAt !== null)
			.flatMap((one) =>
				itemsOf<{ id: number; status: string; previousStatus: string }>(one, 'Poll'),
			);
	const statusOf = (id: number) => String(simulator.control.proposal(id).status);
	const isCurrent = (id: number) =>
		told().findLast((one) => one.id === id)?.status === statusOf(id);
	await until('the last poll', () => PROPOSALS.every(isCurrent) || undefined, 300_000);
	for (const id of PROPOSALS) {
		const statuses = told().filter((one) => one.id === id);
		// Each begins where the one before ended: nothing twice, nothing left out.
		for (const [index, { previousStatus }] of statuses.slice(1).entries()) {
			assert.equal(previousStatus, statuses[index]!.status);
		}
	}
	say(
		`polling: ${told().length} changes told, each beginning with the status that was told before`,
	);
}

/** The memory of n8n's main process, in megabytes. */
function residentMegabytes({ folder: userFolder }: N8n): number {
	const sizes = processesOf(userFolder).map((pid) => {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
	});
	// What runs beside it (a task runner) is much smaller.
	return Math.round(Math.max(...sizes));
}

function checkMemory(samples: number[]): void {
	const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
	const third = Math.floor(samples.length / 3);
	const before = median(samples.slice(0, third));
	const after = median(samples.slice(-third));
	say(
		`memory of n8n: ${before} MB after warming up, ${after} MB at the end (${Math.max(...samples)} MB at most)`,
	);
	assert.ok(after <= before * MOST_GROWTH, 'n8n has grown');
}
