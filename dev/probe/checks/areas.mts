/** Areas of a proposal and their options. */
import { isSame } from '../compare.mts';
import type { Json } from '../../simulator/json.mts';
import type { Check, Probe } from '../probe.mts';
import { idsOf, listIn, optionsOf, readProposal } from './reading.mts';

/** Uses the area of this name from now on. */
async function useArea(probe: Probe, areaName: unknown): Promise<Json> {
	const area = listIn((await readProposal(probe))?.areas).find(({ name }) => name === areaName);
	if (area !== undefined) probe.own.AreaId = area.id;
	return area;
}

const readOptions = async (probe: Probe): Promise<Json[]> => optionsOf(await readProposal(probe));

/** A text of the first option. */
const optionText = (operation: string, field: string, place: string): Check => ({
	operation,
	fields: (_, attempt) => ({ [field]: `n8n probe text ${attempt}` }),
	readBack: async (probe) => (await readOptions(probe)).find(({ id }) => id === probe.own.OptionId),
	places: { [field]: place },
});

export const areaChecks: Check[] = [
	{
		operation: 'area.create',
		fields: (_, attempt) => ({ Name: `n8n probe area ${attempt}` }),
		readBack: async (probe, _, { Name }) => await useArea(probe, Name),
	},
	{
		operation: 'areaOption.create',
		// An area can have three options, so each attempt has another one.
		prepare: async (probe) => {
			const Name = `n8n probe area, with ${(await readOptions(probe)).length} options before`;
			await probe.send('area.create', { Name });
			await useArea(probe, Name);
		},
		fields: (_, attempt) => ({
			ClientDescription: `n8n probe client description ${attempt}`,
			InternalNotes: `n8n probe notes ${attempt}`,
		}),
		readBack: async (probe, _, { ClientDescription }) =>
			(await readOptions(probe)).find((one) => isSame(ClientDescription, one.clientDescription)),
		places: { InternalNotes: 'installerDescription' },
		// Two options of the last area, as far as there are two, and one of another.
		after: async (probe) => {
			const options = await readOptions(probe);
			const inArea = options.filter(({ areaId }) => areaId === probe.own.AreaId);
			const others = options.filter(({ areaId }) => areaId !== probe.own.AreaId);
			const ids = idsOf([...inArea.slice(0, 2), ...others.slice(-1)]);
			probe.kept.optionIds = ids;
			if (ids[0] !== undefined) probe.own.OptionId = ids[0];
		},
	},
	optionText('areaOption.updateClientDescription', 'ClientDescription', 'clientDescription'),
	optionText('areaOption.updateInstallerNotes', 'InstallerNotes', 'installerDescription'),
];
