import { EVENTS } from '../../../../client/model';
import { choices, clearableText, requiredText } from '../../shared/fieldTypes';
import type { Field } from '../../shared/field';
import { FieldError } from '../../shared/values';

const text = requiredText('URL', {
	placeholder: 'e.g. https://example.com/portal-io',
	description: 'Where events are sent: an https address that the internet can reach',
});

/** An absolute URL; the service checks whether it can reach it. */
export const url: Field<string> = {
	...text,
	read: (value, label, timezone) => {
		const address = text.read(value, label, timezone).trim();
		if (URL.canParse(address) && /^https?:/i.test(address)) return address;
		throw new FieldError(label, 'must be a whole address, such as https://example.com/portal-io');
	},
};

const anyEvents = choices(
	'Events',
	[
		{ name: 'Build Status Changed', value: EVENTS.buildStatus },
		{ name: 'Outline Status Changed', value: EVENTS.outlineStatus },
		{ name: 'Proposal Status Changed', value: EVENTS.proposalStatus },
	],
	{ default: [EVENTS.proposalStatus], description: 'What to be told about', required: true },
);

/** The events of a subscription: at least one. */
export const events: Field<string[]> = {
	...anyEvents,
	read: (value, label, timezone) => {
		const chosen = anyEvents.read(value, label, timezone);
		if (chosen.length > 0) return chosen;
		throw new FieldError(label, 'is empty: choose at least one');
	},
};

export const description = clearableText('Description', {
	description: 'How people recognize the subscription',
});
