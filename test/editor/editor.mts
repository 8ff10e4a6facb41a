/**
 * What a person does in n8n's editor, by the marks that n8n puts on its elements for tests
 * (`data-test-id`). Every verb waits for what it is about to use and for what it has brought about.
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

	/** The elements that n8n has marked with an ID. */
	mark(id: string): Locator {
		return this.page.getByTestId(id);
	}

	async logIn({ email, password }: { email: string; password: string }): Promise<void> {
		const data = { emailOrLdapLoginId: email, password };
		await this.page.context().request.post(`${this.url}/rest/login`, { data });
		await this.load();
	}

	async load(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.mark('canvas-plus-button').waitFor();
	}

	/** Starts a workflow from the menu, which takes a fraction of the time that loading the editor takes. */
	async newWorkflow(): Promise<void> {
		const before = this.page.url();
		if (await this.details.isVisible()) await this.closeDetails();
		await this.mark('universal-add').click();
		await this.page.getByText('New workflow', { exact: true }).click();
		await this.page.waitForURL(({ href }) => href !== before && href.includes('/workflow/'));
		await this.mark('canvas-plus-button').waitFor();
	}

	/**
	 * Imports a workflow from a file in place of all that is on the canvas, and fits it into the window.
	 * To load the editor anew each time would take three times as long.
	 */
	async importWorkflow(workflow: object): Promise<void> {
		const buffer = Buffer.from(JSON.stringify(workflow));
		const file = { name: 'example.json', mimeType: 'application/json', buffer };
		const emptySign = this.mark('canvas-plus-button');
		if (!(await emptySign.isVisible())) {
			await this.page.keyboard.press('Control+a');
			await this.page.keyboard.press('Delete');
			await emptySign.waitFor();
		}
		await this.mark('workflow-import-input').setInputFiles(file);
		await this.mark('canvas-node').first().waitFor();
		await this.mark('zoom-to-fit').click();
		// All that was imported is selected.
		await this.page.locator('.vue-flow__pane').click({ position: { x: 5, y: 5 } });
	}

	/** Types into the search of the nodes panel, which it opens when it is closed. */
	async searchNodes(text: string): Promise<void> {
		const search = this.mark('node-creator-search-bar');
		if (!(await search.isVisible())) {
			const first = this.mark('canvas-plus-button');
			const next = this.mark('node-creator-plus-button');
			await first.or(next).first().click();
		}
		await search.fill(text);
	}

	/** An entry of the nodes panel: a node that was found, a trigger or an action. */
	entry(text: string): Locator {
		const exact = this.page.getByText(text, { exact: true });
		return this.mark('item-iterator-item').filter({ has: exact });
	}

	/** The entries of the nodes panel, each with the lines that it shows. */
	async entries(): Promise<string[][]> {
		const texts = await this.mark('item-iterator-item').allInnerTexts();
		return texts.map((text) => text.split('\n').filter((line) => line.trim() !== ''));
	}

	async openNode(name: string): Promise<void> {
		await this.entry(name).click();
		// The list of nodes slides away; until then its entries are there too.
		await this.mark('node-creator-search-bar').waitFor({ state: 'hidden' });
		await this.entry(name).waitFor({ state: 'hidden' });
		await this.mark('node-creator-category-item').first().waitFor();
	}

	async unfoldActions(): Promise<void> {
		const heading = this.mark('node-creator-category-item').filter({ hasText: 'Actions' });
		const folded = this.page.locator('[data-category-collapsed="true"]').filter({ has: heading });
		if (await folded.isVisible()) await heading.click();
	}

	/** Places a trigger or an action of the node that is open in the panel; opens its details. */
	async place(entry: string): Promise<void> {
		await this.entry(entry).click();
		await this.details.waitFor();
	}

	async startWith(action: string): Promise<void> {
		await this.newWorkflow();
		await this.addStep(action);
	}

	/** Puts an action of the node behind the last step of the canvas, and opens its details. */
	async addStep(action: string): Promise<void> {
		await this.searchNodes('Portal.io');
		await this.openNode('Portal.io');
		await this.unfoldActions();
		await this.place(action);
	}

	/** The details of a node: input, parameters, output. */
	get details(): Locator {
		return this.mark('ndv');
	}

	async closeDetails(): Promise<void> {
		await this.mark('ndv-close-button').click();
		await this.details.waitFor({ state: 'hidden' });
	}

	async openStep(node: string): Promise<void> {
		await this.caption(node).dblclick();
		await this.details.waitFor();
	}

	/** What stands below the icon of a node on the canvas: its name and its subtitle. */
	caption(node: string): Locator {
		return this.page.locator(
			`[data-test-id="canvas-node"][data-node-name=${JSON.stringify(node)}]`,
		);
	}

	async executeStep(): Promise<void> {
		await this.mark('node-execute-button').click();
	}

	/** The table in the output of the node whose details are open: one record for each row. */
	async outputTable(): Promise<Record<string, string>[]> {
		const panel = this.mark('output-panel');
		// n8n remembers how an output was looked at the last time.
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

	/** The error in the output of the node whose details are open. */
	get failed(): Locator {
		return this.mark('output-panel').getByTestId('node-error-message');
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

	/** Saves the credential, which n8n tests; its dialog closes when it works. */
	async saveCredential(): Promise<void> {
		await this.mark('credential-save-button').getByRole('button').click();
		await this.credentialDialog.waitFor({ state: 'hidden' });
	}

	/** Opens the dialog of the credential that the node has; n8n tests it at once. */
	async editCredential(): Promise<void> {
		await this.mark('credential-edit-button').click();
		const success = this.credentialDialog.getByText('Connection tested successfully');
		await success.filter({ visible: true }).waitFor();
	}

	private get credentialDialog(): Locator {
		return this.mark('editCredential-modal');
	}

	/** Publishes the workflow, which activates its triggers; returns what n8n then says. */
	async publish(): Promise<string> {
		await this.mark('workflow-open-publish-modal-button').click();
		await this.mark('workflow-publish-button').click();
		const answer = this.mark('activation-modal');
		await answer.waitFor();
		const text = await answer.innerText();
		await answer.getByRole('button', { name: 'Got it' }).click();
		await this.mark('workflow-active-version-indicator').waitFor();
		return text;
	}

	get workflowId(): string {
		return /\/workflow\/([^/?]+)/.exec(this.page.url())![1]!;
	}
}
