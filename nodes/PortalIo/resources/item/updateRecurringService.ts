import { requiredFlag } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const isRecurringService = requiredFlag('Recurring Service', {
	description: 'Whether the item is a recurring service, which is left out of the total',
});

/** docs/portal-api.md#items */
export const updateRecurringService = setValue(
	'Recurring Service',
	'Mark an item as a recurring service, or as one that is sold once',
	'recurringservice',
	{ isRecurringService },
);
