/** The probe against services that differ: every deviation found, none invented. */
import { describe, expect, it } from 'vitest';
import { operations, operationWith } from '../../dev/simulator/openapi.mts';
import { exitCodeOf, type Report } from '../../dev/probe/report.mts';
import type { Correction } from '../../dev/probe/request.mts';
import { practiceServices } from '../../dev/simulator/otherService/services.mts';
import { endpointIn, operationsWith, run } from './running.mts';

/** Nothing returns internal notes, and these services accept any field. */
const UNSEEN = 'proposal.updateInternalNotes';

const correctionsIn = ({ endpoints: all }: Report): Record<string, Correction> =>
	Object.fromEntries(
		all.flatMap(({ operation, correction }) => (correction ? [[operation, correction]] : [])),
	);

function expectOnly(report: Report, corrections: Record<string, Correction>): void {
	expect(correctionsIn(report)).toEqual(corrections);
	expect(operationsWith(report, 'differs').sort()).toEqual(Object.keys(corrections).sort());
	expect(operationsWith(report, 'no effect')).toEqual([]);
	expect(operationsWith(report, 'not tried')).toEqual([UNSEEN]);
	expect(operationsWith(report, 'confirmed')).toHaveLength(
		operations.length - Object.keys(corrections).length - 1,
	);
	expect(report.records).toEqual({});
	expect(exitCodeOf(report)).toBe(1);
}

describe('a service that differs', () => {
	it('confirms every endpoint of a service with the names of this package', async () => {
		const { report, control } = await run({ ai: true });
		expect(operationsWith(report, 'confirmed')).toHaveLength(operations.length);
		expect(report.records).toEqual({});
		expect(control.contractViolations).toEqual([]);
		expect(exitCodeOf(report)).toBe(0);
	});

	it('finds other names that the errors of a service tell', async () => {
		const { report } = await run({ service: 'otherNames', ai: true });
		const { names } = practiceServices.otherNames;
		expectOnly(
			report,
			Object.fromEntries(
				Object.entries(names).map(([operation, one]) => [operation, { names: one }]),
			),
		);
	});

	it('finds other names for items that errors tell one after the other', async () => {
		const { report } = await run({ service: 'oneByOne', ai: true });
		const { names } = practiceServices.oneByOne;
		expectOnly(
			report,
			Object.fromEntries(
				Object.entries(names).map(([operation, one]) => [operation, { names: one }]),
			),
		);
	});

	it('sends each form as JSON to a service that takes JSON alone', async () => {
		const { report } = await run({ service: 'jsonOnly', ai: true });
		const forms = operations.filter(
			({ id, format, fields }) => format === 'form' && fields.length > 0 && id !== UNSEEN,
		);
		expectOnly(report, Object.fromEntries(forms.map(({ id }) => [id, { format: 'json' }])));
	});

	it('tries near names, and lists with commas, where errors tell nothing', async () => {
		const { report } = await run({ service: 'nearNames', ai: true });
		const { names } = practiceServices.nearNames;
		const lists = ['item.delete', 'item.refreshCosts', 'item.move', 'item.copy'];
		const corrections: Record<string, Correction> = Object.fromEntries(
			Object.entries(names).map(([operation, one]) => [operation, { names: one }]),
		);
		for (const operation of lists) {
			corrections[operation] = { ...corrections[operation], lists: 'commas' };
		}
		expectOnly(report, corrections);
	});

	it('keeps the description that alone tells the names, and reports no effect', async () => {
		const { report, description } = await run({ service: 'described', ai: true });
		const { names } = practiceServices.described;
		expect(operationsWith(report, 'no effect').sort()).toEqual(Object.keys(names).sort());
		expect(correctionsIn(report)).toEqual({});
		expect(operationsWith(report, 'confirmed')).toHaveLength(
			operations.length - Object.keys(names).length - 1,
		);
		expect(exitCodeOf(report)).toBe(1);
		expect(Object.keys(description)).toEqual(['/types/typescript']);
		expect(description['/types/typescript']).toContain('UnitsWanted');
		expect(endpointIn(report, 'item.move').note).toContain(
			'; ProposalItemIds also as ItemIds, Ids, ProposalItems, Items; AreaOptionId also as TargetAreaOptionId, OptionId, ',
		);
		expect(endpointIn(report, 'item.updateQuantity').note).toBe(
			"Accepted with status 200, but reading back shows another value for Quantity (quantity). Tried as a form and JSON; Quantity also as Qty, Count, Amount. The service's description does not mention Quantity and has UnitsWanted instead.",
		);
	});

	it('corrects an operation to the one of its documented paths that a service has', async () => {
		const { report } = await run({ settings: { routes: 'alternate' }, ai: true });
		const corrections = [...Map.groupBy(operations, ({ name }) => name).values()]
			.filter((paths) => paths.length > 1)
			.flatMap((paths) => {
				const { path } =
					paths.find(({ id }) => id.endsWith('.alternate')) ?? operationWith('aiOutline.get');
				const missing = paths.filter((one) => one.path !== path);
				return missing.map(({ id }) => [id, { path }] as const);
			});
		expect(correctionsIn(report)).toEqual(Object.fromEntries(corrections));
		expect(operationsWith(report, 'not tried')).toEqual([]);
		expect(exitCodeOf(report)).toBe(1);
	});
});

it('lists what differs in responses once for each record, and confirms the requests', async () => {
	const change = (data: unknown) =>
		JSON.stringify(data)
			.replaceAll('"itemType":', '"parentId":null,"newField":1,"itemType":')
			.replaceAll('"isTaxExempt":false,', '')
			.replace(/"quantity":([\d.]+)/g, '"quantity":"$1"');
	const { report } = await run({
		change: (_, { pathname }, data) =>
			pathname.includes('/proposals/') ? { data: JSON.parse(change(data)) } : undefined,
	});
	expect(report.records.AreaItem).toMatchObject({
		newField: 'not in the contract',
		quantity: 'string, not number',
		parentId: 'null, not integer',
	});
	expect(operationsWith(report, 'differs')).toEqual([]);
	expect(operationsWith(report, 'no effect')).toEqual([]);
	expect(exitCodeOf(report)).toBe(0);
});

it('says which fields are missing when the effect is read back', async () => {
	const { report } = await run({
		change: (_, { pathname }, data) =>
			/^\/public\/people\/\d+$/.test(pathname) ? { data: { ...data, notes: '' } } : undefined,
	});
	expect(endpointIn(report, 'contact.create')).toMatchObject({
		verdict: 'no effect',
		note: 'Accepted with status 200, but reading back shows another value for Notes (notes). Tried as a form and JSON.',
	});
});
