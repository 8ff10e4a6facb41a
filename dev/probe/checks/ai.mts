/** The AI Builder: content, outline and build, each by all documented paths. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import type { Answer } from '../session.mts';
import { listIn, optionsOf, readProposal } from './reading.mts';

const CONTENT = '/public/proposals/{ProposalId}/ai/content';

/** What a dealer would say of a small project. */
const TEXT = {
	name: 'n8n-probe.txt',
	content: Buffer.from(`The customer wants one television on the wall of the family room, with a
tilting mount and two in-ceiling speakers. There is one Wi-Fi access point in the hall. Installation
takes half a day.
`),
};

const NO_CONTENT = 'No content was transcribed to make an outline from.';

/** An operation of content by whichever of its two documented paths the service has. */
const byEitherPath = (probe: Probe, operation: string) =>
	probe.isUsable('aiContent.getMany') ? operation : `${operation}.alternate`;

async function readContents(probe: Probe): Promise<Json[]> {
	const { ProposalId } = probe.own;
	return listIn(
		await probe.read(byEitherPath(probe, 'aiContent.getMany'), { ProposalId }),
		'items',
	);
}

/** Looks again and again until something is found; undefined when it takes too long. */
async function until<T>(
	{ session, options }: Probe,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> {
	for (let waited = 0; waited <= options.aiLimitMs; waited += options.pauseMs) {
		const found = await look();
		if (found !== undefined) return found;
		await session.clock.wait(options.pauseMs, session.signal);
	}
	return undefined;
}

/** Reads the outline by both paths, as neither has been tried yet; undefined while it is generated. */
async function readOutline(probe: Probe, OutlineId?: number): Promise<Json> {
	let answer: Answer = await probe.send('aiOutline.get');
	if (answer.isMissingRoute && OutlineId !== undefined) {
		answer = await probe.send('aiOutline.get.byOutline', {}, { OutlineId });
	}
	const { status = 'Generating' } = answer.data ?? {};
	return status === 'Generating' ? undefined : answer.data;
}

const listing = (operation: string): Check => ({
	operation,
	obstacle: ({ own, found }) =>
		(own.ProposalId ?? found.ProposalId) ? undefined : 'There is no proposal to read it of.',
	// Where it is in the path, it is not sent in the query.
	fields: ({ own, found }) => ({ ProposalId: own.ProposalId ?? found.ProposalId }),
	otherPaths: [CONTENT],
});

const generating = (operation: string): Check => ({
	operation,
	needsAi: true,
	obstacle: ({ kept }) => (kept.isTranscribed ? undefined : NO_CONTENT),
	fields: ({ own }) => ({ proposalId: own.ProposalId }),
	tookEffect: async (probe, _, { data }) => {
		const outline = await until(probe, async () => await readOutline(probe, data?.outlineId));
		const id = outline?.outlineId ?? data?.outlineId;
		if (id !== undefined) probe.own.OutlineId = id;
		probe.kept.hasOutline = outline?.status === 'Completed';
		return probe.kept.hasOutline || 'Accepted, but no outline was completed in time.';
	},
});

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

const upload: Check = {
	operation: 'aiContent.upload',
	needsAi: true,
	fields: ({ options }) => ({ name: options.name }),
	file: TEXT,
	tookEffect: async (probe, _, { data }) =>
		(await readContents(probe)).some(({ id }) => id === data?.id),
	after: async (probe, { data }) => {
		probe.own.ContentId = data?.id;
		const status = await until(probe, async () => {
			const content = (await readContents(probe)).find(({ id }) => id === data?.id);
			return ['Transcribed', 'Invalid'].find((one) => one === content?.status);
		});
		probe.kept.isTranscribed = status === 'Transcribed';
	},
	otherPaths: [CONTENT, '/public/ai/content'],
};

const deleting = (operation: string): Check => ({
	operation,
	needsAi: true,
	obstacle: (probe) =>
		probe.isUsable('aiContent.upload') ? undefined : 'There is no content to delete.',
	prepare: async (probe) => {
		const { name } = probe.options;
		const { data } = await probe.send('aiContent.upload', { name }, {}, TEXT);
		probe.own.ContentId = data.id;
	},
	tookEffect: async (probe) =>
		!(await readContents(probe)).some(({ id }) => id === probe.own.ContentId),
	otherPaths: [`${CONTENT}/{ContentId}`],
});

export const aiChecks: Check[] = [
	listing('aiContent.getMany'),
	listing('aiContent.getMany.alternate'),
	upload,
	generating('aiOutline.generate'),
	generating('aiOutline.generate.alternate'),
	{
		operation: 'aiOutline.get',
		needsAi: true,
		tookEffect: async ({ own }, _, { data }) => data?.proposalId === own.ProposalId,
		otherPaths: ['/public/proposals/{ProposalId}/ai/outline'],
	},
	{ operation: 'aiOutline.get.byOutline', needsAi: true },
	building('aiBuild.start'),
	building('aiBuild.start.alternate'),
	deleting('aiContent.delete'),
	deleting('aiContent.delete.alternate'),
];

/** Deletes what was uploaded. */
export async function deleteAllContents(probe: Probe): Promise<boolean> {
	for (const { id } of await readContents(probe)) {
		const operation = byEitherPath(probe, 'aiContent.delete');
		await probe.send(operation, {}, { ContentId: id });
	}
	return (await readContents(probe)).length === 0;
}
