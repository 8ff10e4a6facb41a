/** The examples, imported from their files as a person does, with the credentials that a person chooses. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import type { StoredCredential, Workflow } from '../../dev/testbed/n8n/n8n.mts';
import { adapt, readExamples } from '../../dev/testbed/workflows.mts';
import { takeCanvasPicture } from './pictures.mts';
import { openEditor, test } from './session.mts';

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
	await session.editor.newWorkflow();
});

/** How many lines there are between the steps. */
const connectionsOf = ({ connections }: Workflow) =>
	Object.values(connections).flatMap((outputs) => Object.values(outputs as object).flat(2)).length;

const isNote = ({ type }: { type: string }) => type === 'n8n-nodes-base.stickyNote';

/** The pictures of these stand in the README, which has a dark version too. */
const inReadme = ['Proposal accepted'];

describe('an imported example with its credentials has all nodes, no red step, and readable notes', () => {
	test.for(examples.map((example) => [example.name, example] as const))(
		'%s',
		async ([, example]) => {
			const { editor, environment } = session;
			const workflow = adapt(example, environment);
			for (const node of workflow.nodes) {
				const credential = others[node.type];
				if (credential) node.credentials = { [credential.type]: credential };
			}
			const buffer = Buffer.from(JSON.stringify(workflow));
			await editor.importWorkflow({ name: 'example.json', mimeType: 'application/json', buffer });
			expect(await editor.stepsWithIssues()).toEqual([]);
			// The editor drops a connection of an output that the node does not declare.
			const connected = editor.page.locator('.vue-flow__edge');
			expect(await connected.count()).toBe(connectionsOf(workflow));
			for (const { name } of workflow.nodes.filter((node) => !isNote(node))) {
				expect(await editor.caption(name).innerText()).not.toMatch(/install|undefined|\?/i);
			}
			for (const colorScheme of ['dark', 'light'] as const) {
				await editor.page.emulateMedia({ colorScheme });
				const shown = await notes(editor.page);
				expect(shown).toHaveLength(workflow.nodes.filter(isNote).length);
				for (const { text, hidden, contrast } of shown) {
					expect(hidden, `pixels hidden of the note "${text}"`).toBeLessThanOrEqual(1);
					// What the Web Content Accessibility Guidelines ask of text.
					expect(contrast, `contrast in ${colorScheme} of "${text}"`).toBeGreaterThan(4.5);
				}
			}
			const picture = example.name.toLowerCase().replaceAll(' ', '-');
			await takeCanvasPicture(editor.page, picture, { isDarkToo: inReadme.includes(example.name) });
		},
	);
});

/** How much of each note lies outside its frame, and how well its text stands out. */
async function notes(page: Page) {
	return await page.getByTestId('sticky').evaluateAll((elements) => {
		const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
		const luminance = (color: string) => {
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			const channels = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
			const [red, green, blue] = channels.map((channel) => {
				const value = channel / 255;
				return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
			}) as [number, number, number];
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		};
		return elements.map((element) => {
			const heading = element.querySelector('h2, h3, h4, p')!;
			const content = heading.parentElement!.parentElement!.parentElement!;
			const [light, dark] = [heading, element]
				.map((one, index) => getComputedStyle(one)[index ? 'backgroundColor' : 'color'])
				.map(luminance)
				.sort((one, other) => other - one) as [number, number];
			return {
				text: heading.textContent,
				hidden: content.scrollHeight - element.clientHeight,
				contrast: (light + 0.05) / (dark + 0.05),
			};
		});
	});
}
