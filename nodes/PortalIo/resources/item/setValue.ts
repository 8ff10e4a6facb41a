import type { FieldValue } from '../../../../client/http/form';
import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import type { Field } from '../../shared/field';
import { amount } from '../../shared/fieldTypes';
import { itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** An amount per unit of an item. */
export const money = (label: string, what: string) =>
	amount(label, {
		typeOptions: { numberPrecision: 2, minValue: 0 },
		default: 0,
		description: `The new ${what} of one piece, in the currency of the proposal`,
	});

/**
 * An operation that sets one value of an item.
 *
 * @param label of the operation after *Update*
 * @param segment the last one of the path
 * @param field the one with the value, by its name
 */
export const setValue = (
	label: string,
	description: string,
	segment: string,
	field: Record<string, Field<FieldValue>>,
) =>
	operation({
		name: `Update ${label}`,
		action: `Update ${label === 'MSRP' ? label : label.toLowerCase()} of item`,
		description,
		mark: 'assumed',
		fields: { proposalId, itemId, ...field, options: correctionOptions },
		request: ({ proposalId, itemId, options, ...value }) => ({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposalId}/items/${itemId}/${segment}`,
			...assumedBody(value, options),
		}),
	});
