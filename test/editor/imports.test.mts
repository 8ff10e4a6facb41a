/** The examples, imported from their files as a person does, with the credentials that a person chooses. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoredCredential, Workflow } from '../../dev/testbed/n8n/n8n.mts';
import { adapt, readExamples } from '../../dev/testbed/workflows.mts';
import { takeCanvasPicture } from './pictures.mts';
import { openEditor } from './session.mts';

const session = openEditor();
const examples = await readExamples();

/** Credentials of nodes whose service nobody plays, by the type of the node. */
const others: Record<string, StoredCredential> = {};
beforeAll(async () => {
	const { n8n } = session.environment;
	const create = async (node: string, type: string, data: Record<string, string>) => {
		others[node] = await n8n.createCredential(type, type, data);
	};
	await create('@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi', { apiKey: 'none' });
	await create('@n8n/n8n-nodes-langchain.mcpTrigger', 'httpBearerAuth', { token: 'none' });
	await create('n8n-nodes-base.n8n', 'n8nApi', { apiKey: 'none', baseUrl: `${n8n.url}/api/v1` });
	await session.editor.load();
});

/** How many lines there are between the steps. */
const connectionsOf = ({ connections }: Workflow) =>
	Object.values(connections).flatMap((outputs) => Object.values(outputs as object).flat(2)).length;

const isNote = ({ type }: { type: string }) => type === 'n8n-nodes-base.stickyNote';

describe('an imported example with its credentials has all nodes, no red step, and notes that fit', () => {
	test.for(examples.map((example) => [example.name, example] as const))(
		'imports %s without a red step',
		async ([, example]) => {
			const { editor, environment } = session;
			const workflow = adapt(example, environment);
			for (const node of workflow.nodes) {
				const credential = others[node.type];
				if (credential) node.credentials = { [credential.type]: credential };
			}
			await editor.importWorkflow(workflow);
			expect(await editor.stepsWithIssues()).toEqual([]);
			// The editor drops a connection of an output that the node does not declare.
			const connected = editor.page.locator('.vue-flow__edge');
			expect(await connected.count()).toBe(connectionsOf(workflow));
			for (const { name } of workflow.nodes.filter((node) => !isNote(node))) {
				expect(await editor.caption(name).innerText()).not.toMatch(/install|undefined|\?/i);
			}
			for (const note of await editor.page.getByTestId('sticky').all()) {
				// n8n cuts off what does not fit.
				const hidden = await note.evaluate((element) => {
					const content =
						element.querySelector('h2, h3, h4, p')!.parentElement!.parentElement!.parentElement!;
					return content.scrollHeight - element.clientHeight;
				});
				expect(hidden, await note.innerText()).toBeLessThanOrEqual(1);
			}
			const picture = example.name.toLowerCase().replaceAll(' ', '-');
			await takeCanvasPicture(editor.page, picture);
		},
	);
});
