/** What a person does with the fields of the node whose details are open in n8n's editor. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../../dev/testbed/until.mts';

/** The fields of a node. Those in rows are given with the number of the row, from 0. */
export class Fields {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/** A field; of the given row where it stands in rows. */
	field(parameter: string, row = 0): Locator {
		return this.mark('node-parameters').getByTestId(`parameter-input-${parameter}`).nth(row);
	}

	/** What the field of a resource locator shows: the name of the record, or what was typed. */
	async chosenIn(parameter: string, row = 0): Promise<string> {
		return await this.field(parameter, row).getByTestId('rlc-input').inputValue();
	}

	async expressionIn(parameter: string): Promise<string> {
		return await this.field(parameter).locator('.cm-content').innerText();
	}

	/** Types into a field, or into that of a resource locator that is not set to its list. */
	async fill(parameter: string, text: string, row = 0): Promise<void> {
		await this.field(parameter, row).locator('input:not([readonly]), textarea').fill(text);
	}

	/** The options of a list, which it opens; none while n8n is still loading them. */
	async openOptions(parameter: string): Promise<string[]> {
		if (!(await this.openList().first().isVisible())) await this.field(parameter).click();
		return await this.openList().allInnerTexts();
	}

	async closeList(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.openList().first().waitFor({ state: 'hidden' });
	}

	async chooseOption(parameter: string, option: string, row = 0): Promise<void> {
		await this.field(parameter, row).click();
		await this.chooseInOpenList(option);
	}

	/** Chooses several from the list of a multi-select, which it opens and closes. */
	async chooseSeveral(parameter: string, chosen: string[]): Promise<void> {
		await this.field(parameter).click();
		for (const option of chosen) await this.openList().getByText(option, { exact: true }).click();
		await this.closeList();
	}

	/** Adds a row to the rows of a field, or a field to a collection, by what the button says. */
	async addRow(button: string): Promise<void> {
		await this.mark('fixed-collection-add').filter({ hasText: button }).click();
	}

	/** Adds a field to a collection, by the text of the button that adds one. */
	async addField(button: string, field: string): Promise<void> {
		const add = this.mark('collection-parameter-add');
		await add
			.filter({ has: this.page.getByPlaceholder(button) })
			.first()
			.click();
		await this.chooseInOpenList(field);
	}

	/** Sets in which way a resource locator chooses its record, such as *Number*. */
	async chooseMode(parameter: string, mode: string): Promise<void> {
		await this.field(parameter).getByTestId('rlc-mode-selector').click();
		await this.chooseInOpenList(mode);
	}

	private openList(): Locator {
		return this.page.getByRole('option').filter({ visible: true });
	}

	private async chooseInOpenList(option: string): Promise<void> {
		await this.openList().getByText(option, { exact: true }).click();
		await this.openList().first().waitFor({ state: 'hidden' });
	}

	async searchList(parameter: string, text: string, row = 0): Promise<void> {
		const search = this.mark('rlc-search');
		if (!(await search.isVisible())) {
			await this.field(parameter, row).getByTestId('rlc-input').click();
		}
		await search.fill(text);
	}

	async choices(): Promise<string[]> {
		return await this.mark('rlc-item').allInnerTexts();
	}

	async choose(choice: string): Promise<void> {
		await this.mark('rlc-item').filter({ hasText: choice }).click();
		await this.mark('rlc-item').first().waitFor({ state: 'hidden' });
	}

	/** Chooses the one record whose name in the list of a resource locator has a text in it. */
	async chooseRecord(parameter: string, text: string, row = 0): Promise<void> {
		await this.searchList(parameter, text, row);
		await this.choose(text);
	}

	async map(name: string, parameter: string): Promise<void> {
		const field = this.mark('ndv-input-panel')
			.getByTestId('run-data-schema-node-name')
			.getByText(name, { exact: true });
		const expression = this.field(parameter).locator('.cm-content');
		// While the panels are still moving, the mouse misses the field or the parameter, or the field is
		// hidden for a moment.
		await until(`the expression in ${parameter}`, async () => {
			if (!(await expression.isVisible())) {
				// n8n takes it for a click until the mouse has gone some way.
				const way = { steps: 20, force: true };
				await field.dragTo(this.field(parameter), way).catch(() => undefined);
			}
			return await expression.waitFor({ timeout: 5_000 }).then(
				() => true,
				() => undefined,
			);
		});
	}

	private mark(id: string): Locator {
		return this.page.getByTestId(id);
	}
}
