/** A mapped field keeps its value when another field changes. That no locator depends on one: test/unit/ux. */
import { beforeAll, expect, test } from 'vitest';
import { chain, editFields, manualStart, portal } from '../../dev/testbed/workflowBuilder.mts';
import { openEditor } from './session.mts';

const session = openEditor();

const id = '={{ $json.id }}';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const proposalId = byId(id);
const itemType = '={{ $json.type }}';

/** A field of each kind that has a list of what belongs to another field, by its operation. */
const mapped: [operation: string, fields: string[], parameters: object][] = [
	['item.copy', ['itemIds', 'areaOptionIds'], { proposalId, itemIds: id, areaOptionIds: id }],
	[
		'item.add',
		['areaOptionId', 'itemId', 'parentId'],
		{
			proposalId,
			areaOptionId: byId(id),
			items: { item: [{ itemType, itemId: byId(id), quantity: 1, parentId: byId(id) }] },
		},
	],
];

beforeAll(async () => await session.editor.newWorkflow());

test.for(mapped)(
	'keeps a mapping into %s, in %j, when the step before runs again',
	async (given) => {
		const [operationOf, names, parameters] = given;
		const { editor, environment } = session;
		const [resource, operation] = operationOf.split('.');
		const before = editFields('={{ { id: $now.toMillis(), type: "Labor" } }}');
		const steps = [manualStart, before, portal({ resource, operation, ...parameters })];
		await editor.importWorkflow(chain('Mapping', steps, environment.credential));
		await editor.openStep('Portal.io');
		// No record has this ID: what counts is what the fields hold afterwards.
		await editor.executeStep();
		await editor.failed.waitFor();
		for (const name of names) {
			const expression = editor.fields.field(name).locator('.cm-content');
			const [shown = 'nothing'] = await expression.allInnerTexts();
			expect(shown, name).toContain('{{ $json.id }}');
		}
		await editor.closeDetails();
	},
);
