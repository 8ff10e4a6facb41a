/**
 * Does what a person does in n8n's editor. Finds elements by the attribute that n8n adds for tests (`data-test-id`).
 * Every method waits for the elements that it uses, and for the result.
 */
import type { Locator, Page } from 'playwright-core';
import { Fields } from './fields.mts';

/** n8n's editor in a browser. */
export class Editor {
	readonly page: Page;
	readonly fields: Fields;
	private readonly url: string;

	constructor(page: Page, url: string) {
		this.page = page;
		this.fields = new Fields(page);
		this.url = url;
	}

	/** Finds the elements to which n8n has given this ID. */
	findById(id: string): Locator {
		return this.page.getByTestId(id);
	}

	async logIn({ email, password }: { email: string; password: string }): Promise<void> {
		const data = { emailOrLdapLoginId: email, password };
		await this.page.context().request.post(`${this.url}/rest/login`, { data });
		await this.load();
	}

	async load(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.findById('canvas-plus-button').waitFor();
	}

	/** Opens a new workflow from the menu, in a fraction of the time that loading the editor takes. */
	async newWorkflow(): Promise<void> {
		const before = this.page.url();
		if (await this.details.isVisible()) await this.closeDetails();
		await this.findById('universal-add').click();
		await this.page.getByText('New workflow', { exact: true }).click();
		await this.page.waitForURL(({ href }) => href !== before && href.includes('/workflow/'));
		await this.findById('canvas-plus-button').waitFor();
	}

	/**
	 * Imports a workflow from a file, replaces everything on the canvas, and fits it into the window. Reloading
	 * the editor each time would take three times as long.
	 */
	async importWorkflow(workflow: object): Promise<void> {
		const buffer = Buffer.from(JSON.stringify(workflow));
		const file = { name: 'example.json', mimeType: 'application/json', buffer };
		const emptySign = this.findById('canvas-plus-button');
		if (!(await emptySign.isVisible())) {
			await this.page.keyboard.press('Control+a');
			await this.page.keyboard.press('Delete');
			await emptySign.waitFor();
		}
		await this.findById('workflow-import-input').setInputFiles(file);
		await this.findById('canvas-node').first().waitFor();
		await this.findById('zoom-to-fit').click();
		// Clear the selection, because the import selects everything.
		await this.page.locator('.vue-flow__pane').click({ position: { x: 5, y: 5 } });
	}

	/** Types into the search of the nodes panel, and opens the panel if necessary. */
	async searchNodes(text: string): Promise<void> {
		const search = this.findById('node-creator-search-bar');
		if (!(await search.isVisible())) {
			const first = this.findById('canvas-plus-button');
			const next = this.findById('node-creator-plus-button');
			await first.or(next).first().click();
		}
		await search.fill(text);
	}

	/** Returns an entry in the nodes panel: a node, trigger, or action. */
	entry(text: string): Locator {
		const exact = this.page.getByText(text, { exact: true });
		return this.findById('item-iterator-item').filter({ has: exact });
	}

	/** Returns the entries in the nodes panel, each with its lines of text. */
	async entries(): Promise<string[][]> {
		const texts = await this.findById('item-iterator-item').allInnerTexts();
		return texts.map((text) => text.split('\n').filter((line) => line.trim() !== ''));
	}

	async openNode(name: string): Promise<void> {
		await this.entry(name).click();
		// Wait until the previous list of nodes has slid away, because its entries exist until then.
		await this.findById('node-creator-search-bar').waitFor({ state: 'hidden' });
		await this.entry(name).waitFor({ state: 'hidden' });
		await this.findById('node-creator-category-item').first().waitFor();
	}

	async unfoldActions(): Promise<void> {
		const heading = this.findById('node-creator-category-item').filter({ hasText: 'Actions' });
		const folded = this.page.locator('[data-category-collapsed="true"]').filter({ has: heading });
		if (await folded.isVisible()) await heading.click();
	}

	/** Adds a trigger or action of the node that is open in the panel. Opens its details. */
	async place(entry: string): Promise<void> {
		await this.entry(entry).click();
		await this.details.waitFor();
	}

	async startWith(action: string): Promise<void> {
		await this.newWorkflow();
		await this.addStep(action);
	}

	/** Adds an action of the node after the last step, and opens its details. */
	async addStep(action: string): Promise<void> {
		await this.searchNodes('Portal.io');
		await this.openNode('Portal.io');
		await this.unfoldActions();
		await this.place(action);
	}

	/** Returns a node's details: input, parameters, and output. */
	get details(): Locator {
		return this.findById('ndv');
	}

	async closeDetails(): Promise<void> {
		await this.findById('ndv-close-button').click();
		await this.details.waitFor({ state: 'hidden' });
	}

	async openStep(node: string): Promise<void> {
		await this.caption(node).dblclick();
		await this.details.waitFor();
	}

	/** Returns the text below a node's icon on the canvas: its name and subtitle. */
	caption(node: string): Locator {
		return this.page.locator(
			`[data-test-id="canvas-node"][data-node-name=${JSON.stringify(node)}]`,
		);
	}

	async executeStep(): Promise<void> {
		await this.findById('node-execute-button').click();
	}

	/** Returns one record for each row of the open node's output table. */
	async outputTable(): Promise<Record<string, string>[]> {
		const panel = this.findById('output-panel');
		// Switch to the table, because n8n keeps the view that was last chosen.
		const views = panel.getByTestId('ndv-run-data-display-mode');
		await views.getByText('Table', { exact: true }).click();
		const table = panel.locator('table').first();
		await table.waitFor();
		const texts = (cells: Locator) => cells.allInnerTexts();
		const header = (await texts(table.locator('thead th'))).map((text) => text.trim());
		const rows = await table.locator('tbody tr').all();
		return await Promise.all(
			rows.map(async (row) => {
				const cells = await texts(row.locator('td'));
				const named = header.map((name, index) => [name, (cells[index] ?? '').trim()]);
				return Object.fromEntries(named.filter(([name]) => name !== ''));
			}),
		);
	}

	/** Returns the error in the output of the open node. */
	get failed(): Locator {
		return this.findById('output-panel').getByTestId('node-error-message');
	}

	async fillCredential(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			const input = this.credentialDialog.getByTestId(`parameter-input-${name}`);
			await input.locator('input').fill(value);
		}
	}

	async chooseInCredential(name: string, option: string): Promise<void> {
		await this.credentialDialog.getByTestId(`parameter-input-${name}`).click();
		await this.page.getByRole('option', { name: option }).click();
	}

	/** Saves the credential, which n8n tests. The dialog closes if the test succeeds. */
	async saveCredential(): Promise<void> {
		await this.findById('credential-save-button').getByRole('button').click();
		await this.credentialDialog.waitFor({ state: 'hidden' });
	}

	/** Opens the dialog of the node's credential, which n8n tests immediately. */
	async editCredential(): Promise<void> {
		await this.findById('credential-edit-button').click();
		const success = this.credentialDialog.getByText('Connection tested successfully');
		await success.filter({ visible: true }).waitFor();
	}

	private get credentialDialog(): Locator {
		return this.findById('editCredential-modal');
	}

	/** Publishes the workflow, which activates its triggers. Returns n8n's message. */
	async publish(): Promise<string> {
		await this.findById('workflow-open-publish-modal-button').click();
		await this.findById('workflow-publish-button').click();
		const answer = this.findById('activation-modal');
		await answer.waitFor();
		const text = await answer.innerText();
		await answer.getByRole('button', { name: 'Got it' }).click();
		await this.findById('workflow-active-version-indicator').waitFor();
		return text;
	}

	get workflowId(): string {
		return /\/workflow\/([^/?]+)/.exec(this.page.url())![1]!;
	}
}
