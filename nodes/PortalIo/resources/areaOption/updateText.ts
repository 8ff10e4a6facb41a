import { path } from '../../../../client/http/path';
import type { Field } from '../../shared/field';
import { clearableText } from '../../shared/fieldTypes';
import { areaId, optionId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** A text of an area option, with several lines; empty text clears it. */
export const newText = (label: string) =>
	clearableText(label, {
		typeOptions: { rows: 4 },
		description: 'The new text; empty clears it',
	});

/**
 * An operation that replaces one text of an area option.
 *
 * @param segment the last one of both documented paths
 */
export const updateText = (
	label: string,
	description: string,
	segment: string,
	field: Record<string, Field<string>>,
) =>
	operation({
		name: `Update ${label}`,
		action: `Update ${label.toLowerCase()} of area option`,
		description,
		mark: 'spec',
		fields: { proposalId, areaId, optionId, ...field },
		request: ({ proposalId, areaId, optionId, ...text }) => ({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposalId}/area/${areaId}/option/${optionId}/${segment}`,
			alternate: {
				path: path`/public/proposals/${proposalId}/area-options/${optionId}/${segment}`,
			},
			form: toWire(text),
		}),
	});
