import { requireFound, invalid, notFound } from '../errors.mts';
import { editing } from '../proposals.mts';
import type { Handler } from '../context.mts';

const MAX_OPTIONS = 3;

/**
 * Creates a handler that sets or clears a text field of an option. The alternate path doesn't contain the option's
 * area.
 */
const updateOptionText = (column: string, field: string) =>
	editing(({ database, values, now }) => {
		const where = { id: values.OptionId, proposal_id: values.ProposalId };
		const option = database.row('placed_options', where);
		if (!option || (values.AreaId ?? option.area_id) !== option.area_id) {
			throw notFound('Area option');
		}
		const columns = { [column]: values[field] ?? null, last_modified_date: now };
		database.update('area_options', values.OptionId, columns);
	});

export const area: Record<string, Handler> = {
	'area.create': editing(({ database, values, now, context }) => {
		const name = values.Name.trim();
		const areas = database.rows('areas', { proposal_id: values.ProposalId });
		const isTaken = areas.some((area) => String(area.name).toLowerCase() === name.toLowerCase());
		if (isTaken && context.settings.areaNames === 'unique') {
			throw invalid('Name', `The proposal already has an area named '${name}'.`);
		}
		if (name === '') throw invalid('Name', 'Name must not be empty.');
		const areaId = database.insert('areas', { proposal_id: values.ProposalId, name });
		database.insert('area_options', { area_id: areaId, last_modified_date: now });
	}),

	'areaOption.create': editing(({ database, values, now }) => {
		const area = { area_id: values.AreaId };
		requireFound(
			database.row('areas', { id: values.AreaId, proposal_id: values.ProposalId }),
			'Area',
		);
		if (database.rows('area_options', area).length >= MAX_OPTIONS) {
			throw invalid('AreaId', `An area can have at most ${MAX_OPTIONS} options.`);
		}
		database.insert('area_options', {
			...area,
			last_modified_date: now,
			client_description: values.ClientDescription,
			installer_description: values.InternalNotes,
		});
	}),
	'areaOption.updateClientDescription': updateOptionText('client_description', 'ClientDescription'),
	'areaOption.updateInstallerNotes': updateOptionText('installer_description', 'InstallerNotes'),
};
