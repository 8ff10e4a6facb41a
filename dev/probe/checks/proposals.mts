/** Proposals, their areas and area options. */
import type { Json } from '../model.mts';
import type { Check, Probe } from '../probe.mts';
import { isJustMade, isSame, keepStatus, optionsOf, readProposal } from './reading.mts';

const named = ({ options }: Probe, attempt: number) => `${options.name} (${attempt})`;

export const proposalChecks: Check[] = [
	{
		operation: 'proposal.create',
		obstacle: ({ kept }) =>
			kept.userId === undefined ? 'No user could be read for SalesPersonId.' : undefined,
		fields: (probe, attempt) => ({
			SalesPersonId: probe.kept.userId,
			Name: named(probe, attempt),
		}),
		tookEffect: async (probe, { Name, SalesPersonId }, answer) => {
			const { id } = answer.data ?? {};
			if (id === undefined) return false;
			const read = await probe.read('proposal.get', {}, { ProposalId: id });
			if (!isJustMade(answer, read, read?.name, String(Name))) return false;
			probe.own.ProposalId = id;
			const seller = read?.dealer?.salesperson?.id ?? SalesPersonId;
			return isSame(Name, read?.name) && seller === SalesPersonId;
		},
		after: keepStatus('proposal.create'),
	},
	{
		operation: 'proposal.get',
		tookEffect: async ({ own, found }, _, { data }) =>
			isSame(own.ProposalId ?? found.ProposalId!, data?.id),
	},
	{
		operation: 'proposal.update',
		fields: (probe, attempt) => ({
			Name: named(probe, attempt),
			SalesPersonId: probe.kept.userId,
		}),
		tookEffect: async (probe, { Name }) => isSame(Name, (await readProposal(probe))?.name),
	},
	{
		operation: 'proposal.updateDescription',
		fields: (_, attempt) => ({ Description: `n8n probe description ${attempt}` }),
		tookEffect: async (probe, { Description }) =>
			isSame(Description, (await readProposal(probe))?.projectDescription),
	},
	{
		operation: 'proposal.updateInternalNotes',
		fields: (_, attempt) => ({ InternalNotes: `n8n probe notes ${attempt}` }),
		// Nothing returns them; but a service that refuses another name knows this one.
		tookEffect: async (probe) => {
			const operation = 'proposal.updateInternalNotes';
			const { isSuccess } = await probe.send(operation, { N8nProbe: 'n8n probe' });
			return isSuccess
				? 'Accepted, as any other field is, and nothing returns internal notes: the effect cannot be seen.'
				: true;
		},
	},
];

/** The area and the option with an ID, as they are now. */
async function readOption(probe: Probe): Promise<Json> {
	const options = optionsOf(await readProposal(probe));
	return options.find(({ id }) => id === probe.own.OptionId);
}

const optionText = (operation: string, field: string, member: string): Check => ({
	operation,
	fields: (_, attempt) => ({ [field]: `n8n probe text ${attempt}` }),
	tookEffect: async (probe, sent) => isSame(sent[field], (await readOption(probe))?.[member]),
});

const DESCRIPTION = 'areaOption.updateClientDescription';
const NOTES = 'areaOption.updateInstallerNotes';

/** An area can have so many options. */
const MOST_OPTIONS = 3;

export const areaChecks: Check[] = [
	{
		operation: 'area.create',
		fields: (_, attempt) => ({ Name: `n8n probe area ${attempt}` }),
		tookEffect: async (probe, { Name }) => {
			const { areas = [] } = await readProposal(probe);
			const made = areas.find(({ name }: Json) => isSame(Name, name));
			if (made !== undefined) probe.own.AreaId = made.id;
			return made !== undefined;
		},
		after: keepStatus('area.create'),
	},
	{
		operation: 'areaOption.create',
		prepare: async (probe) => {
			const options = optionsOf(await readProposal(probe));
			probe.kept.optionsBefore = options.map(({ id }) => id);
			const inArea = options.filter(({ areaId }) => areaId === probe.own.AreaId);
			if (inArea.length >= MOST_OPTIONS) await makeAnotherArea(probe);
		},
		fields: (_, attempt) => ({
			ClientDescription: `n8n probe client description ${attempt}`,
			InternalNotes: `n8n probe notes ${attempt}`,
		}),
		tookEffect: async (probe, sent) => {
			const added = optionsOf(await readProposal(probe)).filter(
				({ id }) => !probe.kept.optionsBefore.includes(id),
			);
			return added.some(
				(option) =>
					isSame(sent.ClientDescription, option.clientDescription) &&
					isSame(sent.InternalNotes, option.installerDescription),
			);
		},
		after: async (probe, answer) => {
			await keepStatus('areaOption.create')(probe, answer);
			await probe.send('area.create', { Name: 'n8n probe area, second' });
			const options = optionsOf(await readProposal(probe));
			const inArea = options.filter(({ areaId }) => areaId === probe.own.AreaId);
			const others = options.filter(({ areaId }) => areaId !== probe.own.AreaId);
			// Two of the first area, as far as there are two, and one of another.
			probe.kept.optionIds = [...inArea.slice(0, 2), ...others.slice(-1)].map(({ id }) => id);
			const [first] = probe.kept.optionIds;
			if (first !== undefined) probe.own.OptionId = first;
		},
	},
	optionText(DESCRIPTION, 'ClientDescription', 'clientDescription'),
	optionText(`${DESCRIPTION}.alternate`, 'ClientDescription', 'clientDescription'),
	optionText(NOTES, 'InstallerNotes', 'installerDescription'),
	optionText(`${NOTES}.alternate`, 'InstallerNotes', 'installerDescription'),
];

async function makeAnotherArea(probe: Probe): Promise<void> {
	const Name = `n8n probe area, again ${probe.kept.optionsBefore.length}`;
	await probe.send('area.create', { Name });
	const { areas = [] } = await readProposal(probe);
	probe.own.AreaId = areas.find(({ name }: Json) => name === Name)?.id ?? probe.own.AreaId;
}
