/** The AI Builder: content, outline and build, each by all documented paths. */
import type { Json } from '../model.mts';
import { type Check, type Probe, Unprepared } from '../probe.mts';
import { keepStatus, listIn, optionsOf, readProposal } from './reading.mts';
import { oneSecondOfSound, PROJECT } from './sound.mts';

const BELOW = '/public/proposals/{ProposalId}/ai';

/** The contents, by whichever of the two paths the service has. */
async function readContents(probe: Probe): Promise<Json[]> {
	const isFirst = probe.isUsable('aiContent.getMany');
	const fields = isFirst ? { ProposalId: probe.own.ProposalId } : {};
	const operation = isFirst ? 'aiContent.getMany' : 'aiContent.getMany.alternate';
	return listIn(await probe.read(operation, fields), 'items');
}

/** Looks again and again until something is done; undefined when it takes too long. */
async function until<T>(probe: Probe, look: () => Promise<T | undefined>): Promise<T | undefined> {
	const { session, options } = probe;
	for (let waited = 0; waited <= options.aiLimitMs; waited += options.pauseMs) {
		const found = await look();
		if (found !== undefined) return found;
		await session.pause(options.pauseMs);
	}
	return undefined;
}

/** A second of sound has no words in it, so the outline is made from a text. */
async function uploadText(probe: Probe): Promise<number> {
	const file = { name: 'n8n-probe.txt', content: Buffer.from(PROJECT) };
	const name = `${probe.options.name}, text`;
	const answer = await probe.send('aiContent.upload', { name }, {}, file);
	if (answer.data?.id === undefined) throw new Unprepared('No text could be uploaded for it.');
	return answer.data.id;
}

const generating = (operation: string): Check => ({
	operation,
	needsAi: true,
	obstacle: ({ kept }) =>
		kept.isTranscribed ? undefined : 'No content was transcribed to make an outline from.',
	fields: ({ own }) => ({ proposalId: own.ProposalId }),
	tookEffect: async (probe, _, { data }) => {
		const outline = await until(probe, async () => await finishedOutline(probe, data?.outlineId));
		const id = outline?.outlineId ?? data?.outlineId;
		if (id !== undefined) probe.own.OutlineId = id;
		probe.kept.hasOutline = outline?.status === 'Completed';
		return probe.kept.hasOutline || 'Accepted, but no outline was completed in time.';
	},
});

/** By both paths, as neither has been tried yet. */
async function finishedOutline(probe: Probe, id?: number): Promise<Json> {
	const isDone = ({ data }: Json) =>
		typeof data?.status === 'string' && data.status !== 'Generating';
	const byProposal = await probe.send('aiOutline.get');
	if (isDone(byProposal)) return byProposal.data;
	if (!byProposal.isMissingRoute || id === undefined) return undefined;
	const byOutline = await probe.send('aiOutline.get.byOutline', {}, { OutlineId: id });
	return isDone(byOutline) ? byOutline.data : undefined;
}

const building = (operation: string): Check => ({
	operation,
	needsAi: true,
	obstacle: ({ kept }) => (kept.hasOutline ? undefined : 'There is no outline to build from.'),
	prepare: async (probe) => {
		probe.kept.optionCount = optionsOf(await readProposal(probe)).length;
	},
	fields: ({ own }) => ({ proposalId: own.ProposalId }),
	tookEffect: async (probe) => {
		const isBuilt = async () =>
			optionsOf(await readProposal(probe)).length > probe.kept.optionCount || undefined;
		return (await until(probe, isBuilt)) ?? 'Accepted, but no new area came in time.';
	},
});

const deleting = (operation: string): Check => ({
	operation,
	needsAi: true,
	obstacle: (probe) =>
		probe.isUsable('aiContent.upload') ? undefined : 'There is no content to delete.',
	prepare: async (probe) => {
		const [content] = await readContents(probe);
		probe.own.ContentId = content?.id ?? (await uploadText(probe));
	},
	tookEffect: async (probe) =>
		!(await readContents(probe)).some(({ id }) => id === probe.own.ContentId),
	otherPaths: [`${BELOW}/content/{ContentId}`],
});

const listing = (operation: string): Check => ({
	operation,
	obstacle: ({ own, found }) =>
		(own.ProposalId ?? found.ProposalId) ? undefined : 'There is no proposal to read it of.',
	// Where it is in the path, it is not sent in the query.
	fields: ({ own, found }) => ({ ProposalId: own.ProposalId ?? found.ProposalId }),
	otherPaths: [`${BELOW}/content`],
});

export const aiChecks: Check[] = [
	listing('aiContent.getMany'),
	listing('aiContent.getMany.alternate'),
	{
		operation: 'aiContent.upload',
		needsAi: true,
		fields: ({ options }) => ({ name: `${options.name}, sound` }),
		file: () => ({ name: 'n8n-probe.wav', content: oneSecondOfSound() }),
		tookEffect: async (probe, _, { data }) =>
			(await readContents(probe)).some(({ id }) => id === data?.id),
		after: async (probe, answer) => {
			await keepStatus('aiContent.upload')(probe, answer);
			if (!probe.isUsable('aiContent.upload')) return;
			const text = await uploadText(probe);
			const status = await until(probe, async () => {
				const content = (await readContents(probe)).find(({ id }) => id === text);
				return ['Transcribed', 'Invalid'].find((one) => one === content?.status);
			});
			probe.kept.isTranscribed = status === 'Transcribed';
		},
		otherPaths: [`${BELOW}/content`, '/public/ai/content'],
	},
	generating('aiOutline.generate'),
	generating('aiOutline.generate.alternate'),
	{
		operation: 'aiOutline.get',
		needsAi: true,
		tookEffect: async ({ own }, _, { data }) => data?.proposalId === own.ProposalId,
		otherPaths: [`${BELOW}/outline`],
	},
	{ operation: 'aiOutline.get.byOutline', needsAi: true },
	building('aiBuild.start'),
	building('aiBuild.start.alternate'),
	deleting('aiContent.delete'),
	deleting('aiContent.delete.alternate'),
];

/** Deletes what was uploaded. */
export async function deleteAllContents(probe: Probe): Promise<boolean> {
	const isFirst =
		probe.reportOf('aiContent.delete').note !== 'The service does not have this path.';
	const operation = isFirst ? 'aiContent.delete' : 'aiContent.delete.alternate';
	for (const { id } of await readContents(probe)) {
		await probe.send(operation, {}, { ContentId: id });
	}
	return (await readContents(probe)).length === 0;
}
