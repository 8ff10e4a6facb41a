/** What AI agents get to choose in place of Simplify, and what they get. */
import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { area } from '../../nodes/PortalIo/resources/area/index.ts';
import { shapeResponse } from '../../nodes/PortalIo/shared/output.ts';

const { description } = new PortalIo();
/** The fields that the editor shows of the step, or of the tool. */
const shownIn = (name: string, parameters: IDataObject) =>
	description.properties
		.filter((one) =>
			NodeHelpers.displayParameter(
				parameters as INode['parameters'],
				one,
				{ typeVersion: 1 },
				{ ...description, name },
			),
		)
		.map((one) => one.name);

describe('the fields', () => {
	const parameters = { resource: 'area', operation: 'create' };

	it('have Simplify in a step, and Output in a tool', () => {
		expect(shownIn('portalIo', parameters)).toEqual(
			expect.not.arrayContaining(['output', 'outputFields']),
		);
		expect(shownIn('portalIo', parameters)).toContain('simplify');
		expect(shownIn('portalIoTool', parameters)).not.toContain('simplify');
		expect(shownIn('portalIoTool', parameters)).toContain('output');
		expect(shownIn('portalIoTool', { ...parameters, output: 'selected' })).toContain(
			'outputFields',
		);
	});

	it('tell of the file that an agent cannot provide in a tool alone', () => {
		const upload = { resource: 'aiContent', operation: 'upload' };
		expect(shownIn('portalIoTool', upload)).toContain('fileNotice');
		expect(shownIn('portalIo', upload)).not.toContain('fileNotice');
	});
});

describe('the output', () => {
	const { create } = area.operations;
	const response = { id: 42, areas: [{ id: 5, name: 'Den', options: [{ id: 6 }] }] };
	const runItem = (given: object) => {
		const values = create!.read({ proposalId: 42, name: 'Den', ...given }, { timezone: 'UTC' });
		return shapeResponse(create!.output!, response, values);
	};

	it.each([
		[{}, { id: 5, proposalId: 42, name: 'Den', areaOptionId: 6 }],
		[{ output: 'simplified' }, { id: 5, proposalId: 42, name: 'Den', areaOptionId: 6 }],
		[{ output: 'raw' }, response],
		[
			{ output: 'selected', outputFields: ['areaOptionId'] },
			{ id: 5, areaOptionId: 6 },
		],
		[{ output: 'selected', outputFields: [] }, { id: 5 }],
	])('for %j', (given, expected) => expect(runItem(given)).toEqual([expected]));
});
