/** Areas of a proposal and their options. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { idsOf, isSame, listIn, memberOf, optionsOf, readProposal, shows } from './reading.mts';

/** An area can have so many options. */
const MOST_OPTIONS = 3;

const readOptions = async (probe: Probe) => optionsOf(await readProposal(probe));

/** Makes an area beside the checks. */
async function makeArea(probe: Probe, Name: string): Promise<Json> {
	await probe.send('area.create', { Name });
	return listIn((await readProposal(probe))?.areas, '').find(({ name }) => isSame(Name, name));
}

/** A text of the first option; installer notes are read under another name. */
const optionText = (operation: string, field: string, member = memberOf(field)): Check => ({
	operation,
	fields: (_, attempt) => ({ [field]: `n8n probe text ${attempt}` }),
	tookEffect: async (probe, sent) => {
		const option = (await readOptions(probe)).find(({ id }) => id === probe.own.OptionId);
		return isSame(sent[field], option?.[member]);
	},
});

const CLIENT = 'areaOption.updateClientDescription';
const INSTALLER = 'areaOption.updateInstallerNotes';

export const areaChecks: Check[] = [
	{
		operation: 'area.create',
		fields: (_, attempt) => ({ Name: `n8n probe area ${attempt}` }),
		tookEffect: async (probe, { Name }) => {
			const areas = listIn((await readProposal(probe))?.areas, '');
			const made = areas.find(({ name }) => isSame(Name, name));
			if (made !== undefined) probe.own.AreaId = made.id;
			return made !== undefined;
		},
	},
	{
		operation: 'areaOption.create',
		prepare: async (probe) => {
			const options = await readOptions(probe);
			probe.kept.optionsBefore = idsOf(options);
			const inArea = options.filter(({ areaId }) => areaId === probe.own.AreaId);
			if (inArea.length < MOST_OPTIONS) return;
			const area = await makeArea(probe, `n8n probe area, again ${options.length}`);
			if (area !== undefined) probe.own.AreaId = area.id;
		},
		fields: (_, attempt) => ({
			ClientDescription: `n8n probe client description ${attempt}`,
			InternalNotes: `n8n probe notes ${attempt}`,
		}),
		tookEffect: async (probe, { ClientDescription, InternalNotes }) =>
			(await readOptions(probe)).some(
				(option) =>
					!probe.kept.optionsBefore.includes(option.id) &&
					shows(option, { ClientDescription, InstallerDescription: InternalNotes }),
			),
		// Two options of the first area, as far as there are two, and one of another.
		after: async (probe) => {
			await makeArea(probe, 'n8n probe area, second');
			const options = await readOptions(probe);
			const inArea = options.filter(({ areaId }) => areaId === probe.own.AreaId);
			const others = options.filter(({ areaId }) => areaId !== probe.own.AreaId);
			probe.kept.optionIds = idsOf([...inArea.slice(0, 2), ...others.slice(-1)]);
			const [first] = probe.kept.optionIds;
			if (first !== undefined) probe.own.OptionId = first;
		},
	},
	optionText(CLIENT, 'ClientDescription'),
	optionText(`${CLIENT}.alternate`, 'ClientDescription'),
	optionText(INSTALLER, 'InstallerNotes', 'installerDescription'),
	optionText(`${INSTALLER}.alternate`, 'InstallerNotes', 'installerDescription'),
];
