import { EVENTS } from '../../../../client/model';
import { atLeastOne, clearableText, openChoices, requiredText } from '../../fields/types';
import type { Field } from '../../fields/field';
import { FieldError } from '../../fields/values';

const text = requiredText('URL', {
	placeholder: 'e.g. https://example.com/portal-io',
	description: 'The https:// address that events are sent to. Portal.io must be able to reach it.',
});

/** An absolute URL; the service checks whether it can reach it. */
export const url: Field<string> = {
	...text,
	read: async (value, label, reading) => {
		const address = (await text.read(value, label, reading)).trim();
		if (URL.canParse(address) && /^https?:/i.test(address)) return address;
		throw new FieldError(label, 'must be a full URL, such as https://example.com/portal-io');
	},
};

/** The fields of a subscription. */
export const subscriptionSchema = {
	subscriptionId: 'integer',
	url: 'string',
	description: 'string',
	enabled: 'boolean',
	events: 'array',
} as const;

/** The events of a subscription: at least one, and by an expression also others than these. */
export const events = atLeastOne(
	openChoices(
		'Events',
		[
			{ name: 'AI Build Status Changed', value: EVENTS.buildStatus },
			{ name: 'AI Outline Status Changed', value: EVENTS.outlineStatus },
			{ name: 'Proposal Status Changed', value: EVENTS.proposalStatus },
		],
		{ default: [EVENTS.proposalStatus], description: 'The events that are sent' },
	),
);

export const description = clearableText('Description', {
	description: 'Text that identifies the subscription in Portal.io',
});
