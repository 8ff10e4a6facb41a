/** What the editor shows of the triggers. */
import { NodeHelpers, type INodeTypeDescription } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

/** The labels of the fields that n8n shows. */
function shown(description: INodeTypeDescription, parameters: object): string[] {
	const node = { typeVersion: 1 };
	return description.properties
		.filter((one) => NodeHelpers.displayParameter(parameters as never, one, node, description))
		.map(({ name }) => name);
}

const OUTLINE = 'proposal.outline.status_update';
const STATUS = 'proposal.status_changed';

describe('the webhook trigger', () => {
	const { description } = new PortalIoTrigger();

	it.each<[unknown, boolean]>([
		[[STATUS], true],
		[[OUTLINE, STATUS], true],
		[[OUTLINE], false],
		[[], false],
		['={{ $vars.events }}', true],
	])('limits the statuses where it can start on one: %o', (events, isShown) => {
		const others = ['events', 'simplify', 'options'];
		const expected = isShown ? ['events', 'statuses', 'simplify', 'options'] : others;
		expect(shown(description, { events })).toEqual(expected);
	});
});

describe('the polling trigger', () => {
	const { description } = new PortalIoPollingTrigger();

	it.each([
		['changeOrderStatusChanged', ['event', 'statuses', 'simplify']],
		['contactCreatedOrUpdated', ['event', 'simplify']],
		['paymentStatusChanged', ['event', 'paymentStatuses', 'simplify']],
		['proposalCreated', ['event', 'simplify', 'options']],
		['proposalStatusChanged', ['event', 'statuses', 'simplify', 'options']],
		['proposalUpdated', ['event', 'simplify', 'options']],
	])('shows what concerns the event: %s', (event, expected) => {
		expect(shown(description, { event })).toEqual(expected);
	});

	it('offers every status that a payment request can get after it was created', () => {
		const { options } = description.properties.find(({ name }) => name === 'paymentStatuses')!;
		expect(options!.map((one) => 'value' in one && one.value).sort()).toEqual([
			'Cancelled',
			'Declined',
			'Paid',
			'Pending',
			'Refunded',
			'RequiresAction',
			'Submitted',
			'Verifying',
			'Viewed',
		]);
	});
});
