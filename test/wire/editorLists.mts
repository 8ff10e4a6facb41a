/** Provides the editor's lists, and loads each for a field that shows it. */
import { listSearch, loadOptions as multiSelects } from '../../nodes/PortalIo/editor/lists.ts';
import { listChoices, loadOptions } from '../../dev/testbed/nodeRunner.mts';
import { type FileService, seed } from './account.mts';
import { calls } from './calls.mts';

/** Lists that are read from Portal.io. The fields of an output need no request. */
export const editorLists = [...Object.keys(listSearch), ...Object.keys(multiSelects)].filter(
	(method) => method !== 'getOutputFields',
);

interface Place {
	name: string;
	path?: string;
	more?: object;
}

function placeOf({ control }: FileService, method: string): Place {
	const areaId = control.proposal(seed.proposals.staleWholeHome).areas[0].id as number;
	const places: Record<string, Place> = {
		searchCatalogOfRow: {
			name: 'item.add',
			path: 'parameters.items.item[0].catalogItemId',
			more: { items: { item: [{ itemType: 'Part' }] } },
		},
		searchContactLocations: {
			name: 'proposal.create',
			path: 'parameters.additionalFields.locationId',
			more: { additionalFields: { contactId: seed.contacts.company } },
		},
		searchOptionsOfArea: { name: 'areaOption.update', more: { areaId } },
	};
	return places[method] ?? { name: 'item.setSupplier' };
}

export async function listIn(service: FileService, method: string) {
	const { name: operation, path, more } = placeOf(service, method);
	const parameters = { ...calls['item.setSupplier']!.parameters, ...more };
	const run = { credential: service.account, operation, parameters };
	if (method in multiSelects) return await loadOptions(run, method);
	return (await listChoices(run, method, { path })).results;
}
