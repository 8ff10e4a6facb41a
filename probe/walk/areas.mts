/** Areas and their options. */
import { isSame, keepStatus, optionsOf, readProposal, type Json, type Walk } from './walk.mts';

/** How many options an area can have. */
const MOST_OPTIONS = 3;

/** Makes two areas, and a second option in the first. */
export async function createAreas(walk: Walk): Promise<void> {
	const { probe } = walk;
	const ids = { ProposalId: walk.proposalId! };
	let made: Json;
	const answer = await probe.try({
		operation: 'area.create',
		ids,
		values: (attempt) => ({ Name: `n8n probe area ${attempt}` }),
		hasEffect: async ({ Name }) => {
			made = areasOf(await readProposal(walk)).find(({ name }) => isSame(Name, name)) ?? made;
			return made !== undefined && isSame(Name, made.name);
		},
	});
	keepStatus(walk, 'area.create', answer);
	if (made === undefined) return;
	walk.areaId = made.id;
	await createOption(walk);
	await probe.call('area.create', ids, { Name: 'n8n probe area, second' });
	const options = optionsOf(await readProposal(walk));
	const own = options.filter(({ areaId }) => areaId === walk.areaId);
	// Two of the first area, as far as there are two, and one of the second.
	const others = options.filter(({ areaId }) => areaId !== walk.areaId);
	walk.optionIds = [...own.slice(0, 2), ...others.slice(-1)].map(({ id }) => id);
}

const areasOf = (proposal: Json): Json[] => proposal?.areas ?? [];

async function createOption(walk: Walk): Promise<void> {
	const { probe } = walk;
	const ids = { ProposalId: walk.proposalId!, AreaId: walk.areaId! };
	let known: number[] = [];
	const answer = await probe.try({
		operation: 'areaOption.create',
		ids,
		prepare: async () => {
			const options = optionsOf(await readProposal(walk));
			known = options.map(({ id }) => id);
			const isFull = options.filter((one) => one.areaId === ids.AreaId).length >= MOST_OPTIONS;
			if (isFull) ids.AreaId = (await anotherArea(walk)) ?? ids.AreaId;
		},
		values: (attempt) => ({
			ClientDescription: `n8n probe client description ${attempt}`,
			InternalNotes: `n8n probe notes ${attempt}`,
		}),
		hasEffect: async ({ ClientDescription, InternalNotes }) =>
			optionsOf(await readProposal(walk)).some(
				(option) =>
					!known.includes(option.id) &&
					isSame(ClientDescription, option.clientDescription) &&
					isSame(InternalNotes, option.installerDescription),
			),
	});
	keepStatus(walk, 'areaOption.create', answer);
	walk.areaId = ids.AreaId;
}

async function anotherArea(walk: Walk): Promise<number | undefined> {
	const before = areasOf(await readProposal(walk)).map(({ id }) => id);
	const Name = `n8n probe area, number ${before.length + 1}`;
	await walk.probe.call('area.create', { ProposalId: walk.proposalId! }, { Name });
	return areasOf(await readProposal(walk)).find(({ id }) => !before.includes(id))?.id;
}

const TEXTS: [operation: string, field: string, member: string][] = [
	['areaOption.updateClientDescription', 'ClientDescription', 'clientDescription'],
	['areaOption.updateClientDescription.alternate', 'ClientDescription', 'clientDescription'],
	['areaOption.updateInstallerNotes', 'InstallerNotes', 'installerDescription'],
	['areaOption.updateInstallerNotes.alternate', 'InstallerNotes', 'installerDescription'],
];

/** Changes the texts of an option, by both documented paths. */
export async function updateOptions(walk: Walk): Promise<void> {
	const [OptionId] = walk.optionIds;
	if (OptionId === undefined) {
		const operations = TEXTS.map(([operation]) => operation);
		walk.probe.skip([...operations, 'areaOption.create'], 'No area could be made.');
		return;
	}
	for (const [operation, field, member] of TEXTS) {
		await walk.probe.try({
			operation,
			ids: { ProposalId: walk.proposalId!, AreaId: walk.areaId!, OptionId },
			values: (attempt) => ({ [field]: `n8n probe text ${attempt}` }),
			hasEffect: async (values) => {
				const options = optionsOf(await readProposal(walk));
				return isSame(values[field], options.find(({ id }) => id === OptionId)?.[member]);
			},
		});
	}
}
