/** The customer's choice: one option in each area that has several. */

import type { Json } from '../contract.mts';

export interface Choice {
	/** The ID of the chosen option by the name of the form field, for each area with several. */
	fields: Record<string, string>;
	/** IDs of the options that are not chosen. */
	declined: number[];
	/** Names of the areas in which nothing valid is chosen. */
	missing: string[];
}

export const fieldOf = (area: Json): string => `area-${area.id}`;

/** The options of an area that the customer can still choose from. */
export const openOptions = (area: Json): Json[] =>
	area.options.filter((option: Json) => option.status === 'Draft');

/** Whether the customer has to choose among the options of an area. */
export const hasChoice = (area: Json): boolean => openOptions(area).length > 1;

/** Reads the choice from a form. */
export function readChoice(areas: Json[], form: Record<string, unknown>): Choice {
	const choice: Choice = { fields: {}, declined: [], missing: [] };
	for (const area of areas.filter(hasChoice)) {
		const ids: number[] = openOptions(area).map((option) => option.id);
		const chosen = ids.find((id) => String(id) === form[fieldOf(area)]);
		if (chosen === undefined) choice.missing.push(area.name);
		else {
			choice.fields[fieldOf(area)] = String(chosen);
			choice.declined.push(...ids.filter((id) => id !== chosen));
		}
	}
	return choice;
}

/** A form with the first option of each area, and with the choices that `form` has. */
export const withFirstOptions = (areas: Json[], form: Record<string, unknown>) => ({
	...Object.fromEntries(
		areas.filter(hasChoice).map((area) => [fieldOf(area), String(openOptions(area)[0]!.id)]),
	),
	...form,
});
