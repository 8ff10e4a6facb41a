import type { Row } from '../database.mts';
import { invalid, notFound } from '../errors.mts';
import { editing } from '../proposals.mts';
import type { Call, Handler } from '../context.mts';

const MAX_OPTIONS = 3;

/** `POST .../area`: the new area has one option in Draft. */
const createArea = editing((call) => {
	const { database } = call;
	const name = call.values.Name.trim();
	const taken = database.get(
		'SELECT id FROM areas WHERE proposal_id = ? AND lower(name) = lower(?)',
		call.values.ProposalId,
		name,
	);
	if (taken) throw invalid('Name', `The proposal already has an area named '${name}'.`);
	if (name === '') throw invalid('Name', 'Name must not be empty.');
	const areaId = database.insert('areas', { proposal_id: call.values.ProposalId, name });
	database.insert('area_options', { area_id: areaId, last_modified_date: call.now });
});

const createOption = editing((call) => {
	const { database, values } = call;
	const options = database.all(
		`SELECT area_options.id FROM areas LEFT JOIN area_options ON area_id = areas.id
			WHERE areas.id = ? AND proposal_id = ?`,
		values.AreaId,
		values.ProposalId,
	);
	if (options.length === 0) throw notFound('Area');
	if (options.length >= MAX_OPTIONS) {
		throw invalid('AreaId', `An area can have at most ${MAX_OPTIONS} options.`);
	}
	database.insert('area_options', {
		area_id: values.AreaId,
		last_modified_date: call.now,
		client_description: values.ClientDescription || null,
		installer_description: values.InternalNotes || null,
	});
});

/** The option of the path, which names its area too or (alternate path) not; 404 otherwise. */
function findOption(call: Call): Row {
	const { values } = call;
	const option = call.database.get(
		'SELECT * FROM placed_options WHERE id = ? AND proposal_id = ?',
		values.OptionId,
		values.ProposalId,
	);
	if (!option || (values.AreaId !== undefined && option.area_id !== values.AreaId)) {
		throw notFound('Area option');
	}
	return option;
}

/** Sets a text of an option; without a text, it is cleared. */
const updateOptionText = (column: string, field: string) =>
	editing((call) => {
		const option = findOption(call);
		call.database.update('area_options', option.id!, {
			[column]: call.values[field] ?? null,
			last_modified_date: call.now,
		});
	});

export const area: Record<string, Handler> = {
	'area.create': createArea,
	'areaOption.create': createOption,
	'areaOption.updateClientDescription': updateOptionText('client_description', 'ClientDescription'),
	'areaOption.updateInstallerNotes': updateOptionText('installer_description', 'InstallerNotes'),
};
