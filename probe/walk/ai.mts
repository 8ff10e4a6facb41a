/** The AI Builder: content, outline and build, each by all documented paths. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../model.mts';
import { oneSecondOfSound, PROJECT } from './sound.mts';
import { Unprepared } from '../probe.mts';
import { addNote, bodyOf, keepStatus, listIn, optionsOf, readProposal } from './walk.mts';
import type { Json, Walk } from './walk.mts';

const BELOW = '/public/proposals/{ProposalId}/ai';

/** The lists of content, by both paths: they change nothing. */
export async function readContents({ probe, proposalId }: Walk): Promise<void> {
	if (proposalId === undefined) return;
	await probe.try({
		operation: 'aiContent.getMany',
		query: { ProposalId: proposalId },
		ids: { ProposalId: proposalId },
		otherPaths: [`${BELOW}/content`],
	});
	await probe.try({
		operation: 'aiContent.getMany.alternate',
		ids: { ProposalId: proposalId },
		otherPaths: [`${BELOW}/content`],
	});
}

/** The operations that are tried only when AI content may be uploaded. */
export const AI_OPERATIONS = [
	'aiContent.upload',
	'aiContent.delete',
	'aiContent.delete.alternate',
	'aiOutline.generate',
	'aiOutline.generate.alternate',
	'aiOutline.get',
	'aiOutline.get.byOutline',
	'aiBuild.start',
	'aiBuild.start.alternate',
];

/** The contents, by whichever of the two paths the service has. */
async function contentsOf({ probe, proposalId }: Walk): Promise<Json[]> {
	const isFound = probe.endpoints.get('aiContent.getMany')?.verdict !== 'missing';
	const operation = isFound ? 'aiContent.getMany' : 'aiContent.getMany.alternate';
	const ids = { ProposalId: proposalId! };
	const query = isFound ? ids : undefined;
	const answer = await probe.call(operation, ids, undefined, query);
	bodyOf(answer, 'The AI content could not be read.');
	return listIn(answer, 'items');
}

/**
 * Asks again and again until something is done.
 *
 * @returns undefined when it takes too long
 */
async function until<T>(
	{ pauseMs, aiLimitMs, probe }: Walk,
	read: () => Promise<T | undefined>,
): Promise<T | undefined> {
	for (const end = Date.now() + aiLimitMs; ;) {
		const found = await read();
		if (found !== undefined || Date.now() > end) return found;
		// Long waits do not have to be sat out after Ctrl-C.
		await wait(pauseMs, undefined, { signal: probe.service.signal }).catch(() => {});
	}
}

/** Uploads, outlines and builds. */
export async function tryAi(walk: Walk): Promise<void> {
	if (!(await tryToUpload(walk))) return;
	if (await tryOutlines(walk)) await tryBuilds(walk);
	else walk.probe.skip(AI_OPERATIONS, 'No outline was completed to build from.');
	await tryToDeleteContents(walk);
}

async function tryToUpload(walk: Walk): Promise<boolean> {
	const { probe, proposalId } = walk;
	removeContentsAtEnd(walk);
	const ids = { ProposalId: proposalId! };
	const isListed = async (id: unknown) => (await contentsOf(walk)).some((one) => one.id === id);
	const answer = await probe.try({
		operation: 'aiContent.upload',
		ids,
		file: {
			format: 'multipart',
			fields: { name: `${walk.name}, sound` },
			fileName: 'n8n-probe.wav',
			content: oneSecondOfSound(),
		},
		otherPaths: [`${BELOW}/content`, '/public/ai/content'],
		hasEffect: async (_values, { data }) => await isListed((data as Json)?.id),
	});
	keepStatus(walk, 'aiContent.upload', answer);
	// A second of sound has no words in it, so the outline is made from a text.
	const text = answer === undefined ? undefined : await uploadText(walk);
	if (text === undefined) {
		probe.skip(AI_OPERATIONS, 'No content could be uploaded.');
		return false;
	}
	const isDone = await until(walk, async () => {
		const { status } = (await contentsOf(walk)).find(({ id }) => id === text) ?? {};
		return status === 'Transcribed' || status === 'Invalid' ? (status as string) : undefined;
	});
	if (isDone === 'Transcribed') return true;
	const why =
		isDone === undefined
			? `The text was not transcribed within ${walk.aiLimitMs / 1000} seconds.`
			: 'The text could not be transcribed.';
	probe.skip(
		AI_OPERATIONS.filter((one) => !one.startsWith('aiContent')),
		why,
	);
	await tryToDeleteContents(walk);
	return false;
}

async function uploadText(walk: Walk): Promise<number | undefined> {
	const { probe, proposalId } = walk;
	const { path, correction } = probe.endpoints.get('aiContent.upload')!;
	const answer = await probe.service.send({
		method: 'POST',
		path: (correction?.path ?? path).replace('{ProposalId}', String(proposalId)),
		body: {
			format: 'multipart',
			fields: { [correction?.names.name ?? 'name']: `${walk.name}, text` },
			fileName: 'n8n-probe.txt',
			content: Buffer.from(PROJECT),
		},
	});
	return (answer.data as Json)?.id;
}

/** Generates an outline by each path; returns whether the last one was completed. */
async function tryOutlines(walk: Walk): Promise<boolean> {
	const { probe } = walk;
	const ProposalId = walk.proposalId!;
	let isCompleted = false;
	let outlineId: number | undefined;
	for (const operation of ['aiOutline.generate', 'aiOutline.generate.alternate']) {
		const answer = await probe.try({
			operation,
			ids: { ProposalId },
			values: () => ({ proposalId: ProposalId }),
		});
		if (answer === undefined) continue;
		outlineId = (answer.data as Json)?.outlineId ?? outlineId;
		const outline = await until(walk, async () => await finishedOutline(walk, outlineId));
		outlineId = outline?.outlineId ?? outlineId;
		isCompleted = outline?.status === 'Completed';
		if (!isCompleted) {
			addNote(walk, operation, 'The outline was not completed in time, or failed.');
		}
	}
	await probe.try({
		operation: 'aiOutline.get',
		ids: { ProposalId },
		otherPaths: [`${BELOW}/outline`],
		hasEffect: async (_values, { data }) => (data as Json).proposalId === ProposalId,
	});
	if (outlineId === undefined) {
		probe.skip(['aiOutline.get.byOutline'], 'The service names no ID of an outline.');
	} else {
		await probe.try({ operation: 'aiOutline.get.byOutline', ids: { OutlineId: outlineId } });
	}
	return isCompleted;
}

async function finishedOutline({ probe, proposalId }: Walk, outlineId?: number): Promise<Json> {
	const isDone = ({ data }: Answer) => {
		const { status } = (data ?? {}) as Json;
		return typeof status === 'string' && status !== 'Generating';
	};
	const byProposal = await probe.call('aiOutline.get', { ProposalId: proposalId! });
	if (byProposal.status >= 500) throw new Unprepared('The outline could not be read.');
	if (isDone(byProposal)) return byProposal.data;
	if (!byProposal.isMissingRoute || outlineId === undefined) return undefined;
	const byOutline = await probe.call('aiOutline.get.byOutline', { OutlineId: outlineId });
	return isDone(byOutline) ? byOutline.data : undefined;
}

/** Builds the proposal by each path and waits until it has new areas. */
async function tryBuilds(walk: Walk): Promise<void> {
	const ProposalId = walk.proposalId!;
	const countOptions = async () => optionsOf(await readProposal(walk)).length;
	for (const operation of ['aiBuild.start', 'aiBuild.start.alternate']) {
		let before = 0;
		const answer = await walk.probe.try({
			operation,
			ids: { ProposalId },
			prepare: async () => void (before = await countOptions()),
			values: () => ({ proposalId: ProposalId }),
		});
		if (answer === undefined) continue;
		const isBuilt = await until(walk, async () => (await countOptions()) > before || undefined);
		if (!isBuilt) addNote(walk, operation, 'The proposal got no new areas in time.');
	}
}

/** Deletes each content, one by each path. */
async function tryToDeleteContents(walk: Walk): Promise<void> {
	const ids = { ProposalId: walk.proposalId!, ContentId: 0 };
	for (const operation of ['aiContent.delete', 'aiContent.delete.alternate']) {
		await walk.probe.try({
			operation,
			ids,
			prepare: async () => {
				const [content] = await contentsOf(walk);
				ids.ContentId = content?.id ?? (await uploadText(walk)) ?? 0;
			},
			otherPaths: [`${BELOW}/content/{ContentId}`],
			hasEffect: async () => !(await contentsOf(walk)).some(({ id }) => id === ids.ContentId),
		});
	}
}

function removeContentsAtEnd(walk: Walk): void {
	const { probe, proposalId } = walk;
	walk.cleanup.add(`AI content of the proposal '${walk.name}'`, async () => {
		const isFound = probe.endpoints.get('aiContent.delete')?.verdict !== 'missing';
		const operation = isFound ? 'aiContent.delete' : 'aiContent.delete.alternate';
		for (const { id } of await contentsOf(walk)) {
			await probe.call(operation, { ProposalId: proposalId!, ContentId: id });
		}
		return (await contentsOf(walk)).length === 0;
	});
}
