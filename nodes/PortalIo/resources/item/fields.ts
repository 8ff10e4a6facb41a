/** Fields that operations on items share. */
import { asRecord } from '../../../../client/guards';
import * as collection from '../../fields/collections';
import { isFromModel, readCollection, type Field } from '../../fields/field';
import * as field from '../../fields/kinds';
import { areaOptionField } from '../../fields/locators';
import type { Call } from '../../operation/operation';
import { withDefaults, type Result } from '../../operation/output';

const checkResult = field.flag('Check Result', {
	description: 'Whether to stop if the proposal does not show the change',
});

/** Options of operations whose result is visible in the proposal. */
export const checkedOptions = collection.options({ checkResult });

export const placementFields = {
	createMissingArea: field.flag('Create Missing Area', {
		description:
			"Whether to create the area if the proposal has none with this name. The output 'areaCreated' says whether it did.",
	}),
	checkResult,
};
const CREATE: keyof typeof placementFields = 'createMissingArea';

/** Options of operations that put items into an area option. */
export const placementOptions = collection.options(placementFields);

type PlacementCall = Call<{
	areaOptionId: number;
	options: { createMissingArea?: boolean; skipIfPresent?: boolean };
}>;

/** Adds to items whether the step has created their area. */
export function withAreaCreated(call: PlacementCall, result: Result): Result {
	const { areaOptionId, options } = call.values;
	const areaCreated = call.newOptionIds.has(areaOptionId);
	return {
		...result,
		records: result.records.map((record) => withDefaults(record, { areaCreated })),
		extraFields: [
			...(result.extraFields ?? []),
			...(options.createMissingArea ? ['areaCreated'] : []),
		],
	};
}

/** An earlier input may create the area, so the field is then read after that input. */
export const areaOptionId: Field<number> = {
	...areaOptionField(
		'Where the items go. By name: "Living Room", or "Living Room / 2" for option 2.',
		undefined,
		({ earlierValues, raw }) => {
			if (readCollection(earlierValues.options)[CREATE] === true) return 'create';
			return isFromModel(raw) ? undefined : 'couldCreate';
		},
	),
	isReadLater: ({ areaOptionId, options }) =>
		asRecord(areaOptionId)?.mode === 'name' && CREATE in readCollection(options),
};
