/** The AI Builder: content, outline and build, each by all documented paths. */
import type { Json } from '../../simulator/json.mts';
import type { Check, Probe } from '../probe.mts';
import { listIn, required, optionsOf, readProposal } from './reading.mts';

/** What a dealer would say of a small project. */
const TEXT = {
	name: 'n8n-probe.txt',
	content: Buffer.from(`The customer wants one television on the wall of the family room, with a
tilting mount and two in-ceiling speakers. There is one Wi-Fi access point in the hall. Installation
takes half a day.
`),
};

/** An operation of content by whichever of its documented paths the service has. */
const byKnownPath = (probe: Probe, operation: string) =>
	operation +
	['', '.alternate', '.newest'].find((ending) => probe.isUsable(`aiContent.getMany${ending}`));

async function readContents(probe: Probe): Promise<Json[]> {
	const operation = byKnownPath(probe, 'aiContent.getMany');
	return listIn(await probe.read(operation, { ProposalId: probe.own.ProposalId }), 'items');
}

/** Only these are deleted, whatever a service lists and whatever ID a response names. */
const readOwnContents = async (probe: Probe): Promise<Json[]> =>
	(await readContents(probe)).filter(({ name }) => name === probe.name || name === TEXT.name);

/** Looks until something is there, for three minutes. */
async function waitUntil({ session }: Probe, isThere: () => Promise<boolean>): Promise<boolean> {
	for (let looks = 0; looks < 90; looks++) {
		if (await isThere()) return true;
		await session.clock.wait(2000, session.signal);
	}
	return false;
}

/** Reads the outline by any of its paths, as none has been tried yet. */
async function readOutline(probe: Probe): Promise<Json> {
	for (const operation of ['aiOutline.get', 'aiOutline.get.newest']) {
		const { isMissingRoute, data } = await probe.send(operation);
		if (!isMissingRoute) return data;
	}
	if (probe.own.OutlineId === undefined) return undefined;
	return (await probe.send('aiOutline.get.byOutline')).data;
}

const changes: Check[] = [
	{
		operation: 'aiContent.upload',
		fields: ({ name }) => ({ name }),
		file: TEXT,
		tookEffect: async (probe, _, { data }) =>
			(await readContents(probe)).some(({ id }) => id === data?.id),
		after: async (probe, { data }) => {
			probe.kept.isTranscribed = await waitUntil(probe, async () => {
				const content = (await readContents(probe)).find(({ id }) => id === data?.id);
				return content?.status === 'Transcribed';
			});
		},
	},
	{
		operation: 'aiOutline.generate',
		prepare: async ({ kept }) => void required(kept.isTranscribed, 'transcribed content'),
		fields: ({ own }) => ({ proposalId: own.ProposalId }),
		tookEffect: async (probe, _, { data }) => {
			if (data?.outlineId !== undefined) probe.own.OutlineId = data.outlineId;
			probe.kept.hasOutline = await waitUntil(probe, async () => {
				const outline = await readOutline(probe);
				if (outline?.outlineId !== undefined) probe.own.OutlineId = outline.outlineId;
				return outline?.status === 'Completed';
			});
			return (
				probe.kept.hasOutline || 'Accepted, but no outline was completed within three minutes.'
			);
		},
	},
	{ operation: 'aiOutline.get' },
	{ operation: 'aiOutline.get.byOutline' },
	{
		operation: 'aiBuild.start',
		prepare: async (probe) => {
			required(probe.kept.hasOutline, 'outline');
			probe.kept.optionCount = optionsOf(await readProposal(probe)).length;
		},
		fields: ({ own }) => ({ proposalId: own.ProposalId }),
		tookEffect: async (probe) => {
			const { optionCount } = probe.kept;
			const isBuilt = await waitUntil(
				probe,
				async () => optionsOf(await readProposal(probe)).length > optionCount,
			);
			return isBuilt || 'Accepted, but no new area came within three minutes.';
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
	},
];

export const aiChecks: Check[] = [
	{
		operation: 'aiContent.getMany',
		// Where it is in the path, it is not sent in the query.
		fields: ({ own, found }) => ({ ProposalId: own.ProposalId ?? found.ProposalId }),
	},
	...changes.map((check) => ({ ...check, needsAi: true })),
];

/** Deletes what was uploaded. */
export async function deleteAllContents(probe: Probe): Promise<boolean> {
	for (const { id } of await readOwnContents(probe)) {
		await probe.send(byKnownPath(probe, 'aiContent.delete'), {}, { ContentId: id });
	}
	return (await readOwnContents(probe)).length === 0;
}
