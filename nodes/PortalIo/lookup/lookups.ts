/** Finds the records that the inputs of an execution name by a number, email, model or name. */
import type { Session } from '../../../client/session';
import { oneLine } from '../../shared/text';
import type { Records } from '../fields/field';
import { addedRecord, areasNamed, newArea, proposalWithAreas } from '../resources/area';
import { areasIn, findArea, findOption, readAreas, type KnownArea } from './areas';
import { findCatalogItem, findItem } from './items';
import { idOf } from './matches';
import { findContact, findSalesperson } from './people';
import { findProposal } from './proposals';

/** Each record is looked up once. */
export function recordsOf(session: Session): Records {
	const once =
		<R, A extends unknown[]>(
			find: (session: Session, ...names: A) => Promise<R>,
			found = new Map<string, Promise<R>>(),
		) =>
		async (...names: A): Promise<R> => {
			const key = String(names);
			const finding = found.get(key) ?? find(session, ...names);
			found.set(key, finding);
			return await finding;
		};
	const knownAreas = new Map<string, Promise<KnownArea[]>>();
	/** The names of the areas that were created, as they were sent: Portal.io may store another form. */
	const sentNames = new Map<number, string>();
	const withSentName = (area: KnownArea): KnownArea => ({
		...area,
		name: sentNames.get(area.id) ?? area.name,
	});
	const areas = once(
		async (_, proposalId: number) => (await readAreas(session, proposalId)).map(withSentName),
		knownAreas,
	);
	return {
		proposal: once(findProposal),
		catalogItem: once(findCatalogItem),
		contact: once(findContact),
		salesperson: once(findSalesperson),
		item: once(findItem),
		area: async (id, name) => findArea(await areas(id), name),
		// Inputs that may create an area in the same proposal have to wait for each other.
		areaOption: async (id, name, missing) => {
			const wasRead = knownAreas.has(String(id));
			let before = await areas(id);
			let option = findOption(before, name, missing);
			if (option === undefined && wasRead) {
				// Another execution may have created the area since then.
				knownAreas.delete(String(id));
				before = await areas(id);
				option = findOption(before, name, missing);
			}
			if (option !== undefined) return option;
			// After a failure, the areas are read again.
			knownAreas.delete(String(id));
			const response = await session.send(newArea(id, oneLine(name)));
			const after = areasIn(await proposalWithAreas(session, id, response));
			const created = addedRecord('area', before, after, (added) => areasNamed(added, name));
			sentNames.set(created.id, oneLine(name));
			knownAreas.set(String(id), Promise.resolve(after.map(withSentName)));
			return idOf({ id: created.optionIds[0] });
		},
	};
}
