/** Tests the subtitle of a step, which n8n's editor evaluates without data. */
import { Workflow, type INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';

const { subtitle, properties } = new PortalIo().description;

function subtitleOf(parameters: INodeParameters) {
	const nodeType = { description: { name: 'portalIo', properties } } as never;
	const workflow = new Workflow({
		nodes: [
			{ id: '1', name: 'Step', type: 'portalIo', typeVersion: 1, position: [0, 0], parameters },
		],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	const node = workflow.getNode('Step')!;
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

const locator = (mode: string, value: unknown, cachedResultName?: string) => {
	return { __rl: true, mode, value, cachedResultName } as INodeParameters;
};
const proposalId = locator('list', 48202, '#1042 Holt theater (Draft)');
const fromInput = locator('id', '={{ $json.proposalId }}');

it.each<[shown: string, parameters: INodeParameters]>([
	['Get: #1042 Holt theater (Draft)', { resource: 'proposal', operation: 'get', proposalId }],
	['Get: 1042', { resource: 'proposal', operation: 'get', proposalId: locator('number', '1042') }],
	[
		'Add: Living Room / 2',
		{
			resource: 'item',
			operation: 'add',
			proposalId,
			areaOptionId: locator('name', 'Living Room / 2'),
		},
	],
	[
		'Create: Lobby',
		{ resource: 'area', operation: 'create', proposalId: fromInput, name: 'Lobby' },
	],
	[
		'Get Many: #1042 Holt theater (Draft)',
		{ resource: 'aiContent', operation: 'getMany', proposalId },
	],
])('shows the subtitle "%s" for a step with distinctive values', (shown, parameters) => {
	expect(subtitleOf(parameters)).toBe(shown);
});

it.each<[shown: string, parameters: INodeParameters]>([
	[
		'Update: Item',
		{
			resource: 'item',
			operation: 'update',
			proposalId: fromInput,
			itemId: locator('model', '={{ $json.Model }}'),
		},
	],
	[
		'Upload: AI Content',
		{ resource: 'aiContent', operation: 'upload', proposalId: locator('list', '') },
	],
	[
		'Create: Area',
		{ resource: 'area', operation: 'create', proposalId: fromInput, name: '={{ $json.Room }}' },
	],
	['Get Many: User', { resource: 'user', operation: 'getMany' }],
])(
	'shows the subtitle "%s" for a step whose values are expressions or empty',
	(shown, parameters) => {
		expect(subtitleOf(parameters)).toBe(shown);
	},
);
