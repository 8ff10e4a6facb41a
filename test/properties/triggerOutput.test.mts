/** The simplified output of the webhook trigger, whatever Portal.io may put into an event. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventEnvelope } from '../../client/model.ts';
import { outputShape, proposalOf } from '../../nodes/PortalIoTrigger/output.ts';
import { simplifyTo } from '../../nodes/shared/shape.ts';
import { runs } from './runs.mts';

const value = fc.jsonValue({ maxDepth: 1 });
const fieldsOf = (...names: string[]) =>
	fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
const names = ['id', 'number', 'name', 'status', 'customer', 'dealer', 'total', 'financialSummary'];
const data = fc.oneof(
	value,
	fc
		.tuple(
			fieldsOf('proposalId', ...names),
			fc.option(fc.oneof(value, fieldsOf(...names)), { nil: undefined }),
		)
		.map(([own, proposal]) => (proposal === undefined ? own : { ...own, proposal })),
);

describe('the simplified output of an event', () => {
	it('always has the same ten fields', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(
					'proposal.build.status_update',
					'proposal.outline.status_update',
					'proposal.status_changed',
					'payment.status_changed',
				),
				data,
				(type, content) => {
					const event = { id: 'evt_1', type, created: '', data: content };
					const envelope = event as unknown as EventEnvelope;
					const output = simplifyTo(outputShape, {
						event: envelope,
						proposal: proposalOf(envelope),
					});
					expect(Object.keys(output)).toHaveLength(10);
					expect(Object.values(output)).not.toContain(undefined);
					expect(output.eventType).toBe(type);
				},
			),
			runs(5000),
		);
	});

	it('never has the status of an outline, a build or a payment', () => {
		const own = fc.record({ id: fc.nat(), proposalId: fc.nat(), status: fc.string() });
		const type = fc.constantFrom(
			'proposal.build.status_update',
			'proposal.outline.status_update',
			'payment.status_changed',
		);
		fc.assert(
			fc.property(type, own, (one, content) => {
				const event = { id: 'evt_1', type: one, created: '', data: content };
				const output = simplifyTo(outputShape, { event, proposal: proposalOf(event) });
				expect(output).toMatchObject({
					proposalId: content.proposalId,
					status: null,
					eventStatus: content.status,
				});
			}),
			runs(100),
		);
	});
});
