/** The AI Builder: content, outline and build, each by all documented paths. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import type { Answer } from '../session.mts';
import { listIn, required, optionsOf, readProposal } from './reading.mts';

const CONTENT = '/public/proposals/{ProposalId}/ai/content';

/** What a dealer would say of a small project. */
const TEXT = {
	name: 'n8n-probe.txt',
	content: Buffer.from(`The customer wants one television on the wall of the family room, with a
tilting mount and two in-ceiling speakers. There is one Wi-Fi access point in the hall. Installation
takes half a day.
`),
};

/** An operation of content by whichever of its two documented paths the service has. */
const byEitherPath = (probe: Probe, operation: string) =>
	probe.isUsable('aiContent.getMany') ? operation : `${operation}.alternate`;

async function readContents(probe: Probe): Promise<Json[]> {
	const operation = byEitherPath(probe, 'aiContent.getMany');
	return listIn(await probe.read(operation, { ProposalId: probe.own.ProposalId }), 'items');
}

/** Only these are deleted, whatever a service lists and whatever ID a response names. */
const readOwnContents = async (probe: Probe): Promise<Json[]> =>
	(await readContents(probe)).filter(({ name }) => name === probe.name || name === TEXT.name);

/** Looks until something is found, for three minutes; undefined when it takes longer. */
async function poll<T>(
	{ session }: Probe,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> {
	for (let looks = 0; looks < 90; looks++) {
		const found = await look();
		if (found !== undefined) return found;
		await session.clock.wait(2000, session.signal);
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

const changes: Check[] = [
	{
		operation: 'aiContent.upload',
		fields: ({ name }) => ({ name }),
		file: TEXT,
		tookEffect: async (probe, _, { data }) =>
			(await readContents(probe)).some(({ id }) => id === data?.id),
		after: async (probe, { data }) => {
			const status = await poll(probe, async () => {
				const content = (await readContents(probe)).find(({ id }) => id === data?.id);
				return ['Transcribed', 'Invalid'].find((one) => one === content?.status);
			});
			if (status === 'Transcribed') probe.kept.transcribed = data.id;
		},
		otherPaths: [CONTENT, '/public/ai/content'],
	},
	{
		operation: 'aiOutline.generate',
		prepare: async ({ kept }) => void required(kept.transcribed, 'transcribed content'),
		fields: ({ own }) => ({ proposalId: own.ProposalId }),
		tookEffect: async (probe, _, { data }) => {
			const outline = await poll(probe, async () => await readOutline(probe, data?.outlineId));
			const id = outline?.outlineId ?? data?.outlineId;
			if (id !== undefined) probe.own.OutlineId = id;
			if (outline?.status === 'Completed') probe.kept.outline = outline;
			return (
				outline?.status === 'Completed' ||
				'Accepted, but no outline was completed within three minutes.'
			);
		},
	},
	{ operation: 'aiOutline.get', otherPaths: ['/public/proposals/{ProposalId}/ai/outline'] },
	{ operation: 'aiOutline.get.byOutline' },
	{
		operation: 'aiBuild.start',
		prepare: async (probe) => {
			required(probe.kept.outline, 'outline');
			probe.kept.optionCount = optionsOf(await readProposal(probe)).length;
		},
		fields: ({ own }) => ({ proposalId: own.ProposalId }),
		tookEffect: async (probe) => {
			const isBuilt = async () =>
				optionsOf(await readProposal(probe)).length > probe.kept.optionCount || undefined;
			return (await poll(probe, isBuilt)) ?? 'Accepted, but no new area came within three minutes.';
		},
	},
	{
		operation: 'aiContent.delete',
		prepare: async (probe) => {
			const { data } = await probe.send('aiContent.upload', { name: probe.name }, {}, TEXT);
			const made = (await readOwnContents(probe)).find(({ id }) => id === data?.id);
			probe.own.ContentId = required(made?.id, 'content');
		},
		tookEffect: async (probe) =>
			!(await readContents(probe)).some(({ id }) => id === probe.own.ContentId),
		otherPaths: [`${CONTENT}/{ContentId}`],
	},
];

export const aiChecks: Check[] = [
	{
		operation: 'aiContent.getMany',
		// Where it is in the path, it is not sent in the query.
		fields: ({ own, found }) => ({ ProposalId: own.ProposalId ?? found.ProposalId }),
		otherPaths: [CONTENT],
	},
	...changes.map((check) => ({ ...check, needsAi: true })),
];

/** Deletes what was uploaded. */
export async function deleteAllContents(probe: Probe): Promise<boolean> {
	for (const { id } of await readOwnContents(probe)) {
		await probe.send(byEitherPath(probe, 'aiContent.delete'), {}, { ContentId: id });
	}
	return (await readOwnContents(probe)).length === 0;
}
