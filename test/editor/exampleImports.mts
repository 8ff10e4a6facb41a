/** Imports the examples from their files as a person does, with credentials that a person would choose. */
import { expect, it, onTestFinished } from 'vitest';
import type { StoredCredential, Workflow } from '../../dev/testbed/n8n/n8n.mts';
import { adapt, readExamples } from '../../dev/testbed/workflows.mts';
import { takeCanvasPicture, takePicture } from './pictures.mts';
import { openEditor } from './session.mts';

const examples = await readExamples();

/** Credentials for nodes without a simulated service, by node type. */
const others: Record<string, StoredCredential> = {};
const session = openEditor(['Pipeline report'], async ({ n8n }) => {
	const create = async (node: string, type: string, data: Record<string, string>) => {
		others[node] = await n8n.createCredential(type, type, data);
	};
	await create('@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi', { apiKey: 'none' });
	await create('@n8n/n8n-nodes-langchain.mcpTrigger', 'httpBearerAuth', { token: 'none' });
});

/** Returns the number of connections between the steps. */
const connectionsOf = ({ connections }: Workflow) =>
	Object.values(connections).flatMap((outputs) => Object.values(outputs as object).flat(2)).length;

it.for(examples.map((example) => [example.name, example] as const))(
	'imports every step and connection without an issue: %s',
	async ([, example]) => {
		const { editor, environment } = session;
		const workflow = adapt(example, environment);
		for (const node of workflow.nodes) {
			const credential = others[node.type];
			if (credential) node.credentials = { [credential.type]: credential };
		}
		await editor.importWorkflow(workflow);
		const red = editor.findById('canvas-node').filter({ has: editor.findById('node-issues') });
		expect(await red.allInnerTexts()).toEqual([]);
		// Count the connections, because the editor drops any that starts at an output that the node doesn't declare.
		const connected = editor.page.locator('.vue-flow__edge');
		expect(await connected.count()).toBe(connectionsOf(workflow));
		const notes = editor.page.getByTestId('sticky');
		const steps = editor.page.getByTestId('canvas-node').filter({ hasNot: notes });
		const captions = await steps.allInnerTexts();
		expect(captions.filter((text) => /install|undefined|\?/i.test(text))).toEqual([]);
		expect(captions).toHaveLength(workflow.nodes.length - (await notes.count()));
		for (const note of await notes.all()) {
			// Expect no hidden text, because n8n cuts off text that doesn't fit.
			const hidden = await note.evaluate((element) => {
				const text = element.querySelector('h2, h3, h4, p')!;
				const content = text.parentElement!.parentElement!.parentElement!;
				return content.scrollHeight - element.clientHeight;
			});
			expect(hidden, await note.innerText()).toBeLessThanOrEqual(1);
		}
		await takeCanvasPicture(editor.page, example.name.toLowerCase().replaceAll(' ', '-'));
	},
);

it("fits the pipeline report's email into a narrow window", async () => {
	const { n8n, workflows, others: systems } = session.environment;
	await n8n.runManually(workflows['Pipeline report']!, 'Every Morning at 07:00');
	const page = await session.editor.page.context().newPage();
	onTestFinished(() => page.close());
	await page.setViewportSize({ width: 760, height: 1100 });
	await page.setContent(systems.systems.email.messages.at(-1)!.html);
	expect(await page.locator('table').count()).toBe(2);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(760);
	await takePicture(page, 'pipeline-report-page');
});
