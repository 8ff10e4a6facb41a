/** Does what a person does with the fields of the open node in n8n's editor. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../../dev/testbed/until.mts';

/** Fields of a node. If a parameter occurs in several rows, `row` is the row's index. */
export class Fields {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	field(parameter: string, row = 0): Locator {
		return this.mark('node-parameters').getByTestId(`parameter-input-${parameter}`).nth(row);
	}

	/** Returns the text in a resource locator: the record's name, or what was typed. */
	async readRecord(parameter: string, row = 0): Promise<string> {
		return await this.field(parameter, row).getByTestId('rlc-input').inputValue();
	}

	async readExpression(parameter: string): Promise<string> {
		return await this.field(parameter).locator('.cm-content').innerText();
	}

	/** Types into a field, or into a resource locator that isn't in list mode. */
	async fill(parameter: string, text: string, row = 0): Promise<void> {
		await this.field(parameter, row).locator('input:not([readonly]), textarea').fill(text);
	}

	/** Opens a list and returns its options, or none while n8n is loading them. */
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

	/** Opens a multi-select, chooses several options, and closes it. */
	async chooseSeveral(parameter: string, chosen: string[]): Promise<void> {
		// Open the list again if it is empty, because n8n can close it while the options load.
		await until(`the options of ${parameter}`, async () => {
			await this.openOptions(parameter);
			const first = this.openList().getByText(chosen[0]!, { exact: true });
			return (await first.isVisible()) || undefined;
		});
		for (const option of chosen) await this.openList().getByText(option, { exact: true }).click();
		await this.closeList();
	}

	/** Adds a row with the button that has this text. */
	async addRow(button: string): Promise<void> {
		await this.mark('fixed-collection-add').filter({ hasText: button }).click();
	}

	/** Adds a field to the collection whose button has this text. */
	async addField(button: string, field: string): Promise<void> {
		const add = this.mark('collection-parameter-add');
		await add
			.filter({ has: this.page.getByPlaceholder(button) })
			.first()
			.click();
		await this.chooseInOpenList(field);
	}

	/** Chooses the mode of a resource locator, for example *Number*. */
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

	/** Chooses the only record in a resource locator's list whose name contains the given text. */
	async chooseRecord(parameter: string, text: string, row = 0): Promise<void> {
		await this.searchList(parameter, text, row);
		await this.choose(text);
	}

	async map(name: string, parameter: string): Promise<void> {
		const field = this.mark('ndv-input-panel')
			.getByTestId('run-data-schema-node-name')
			.getByText(name, { exact: true });
		const expression = this.field(parameter).locator('.cm-content');
		// Retry, because the mouse can miss the field or the parameter while the panels are moving, and the field can
		// be hidden for a moment.
		await until(`the expression in ${parameter}`, async () => {
			if (!(await expression.isVisible())) {
				// Move the mouse in several steps, because n8n treats a short move as a click.
				const way = { steps: 20, force: true };
				await field.dragTo(this.field(parameter), way).catch(() => undefined);
			}
			return await expression.waitFor({ timeout: 5_000 }).then(
				() => true,
				() => undefined,
			);
		});
	}

	/** Maps a field of a step that has run, and waits until its value is shown. */
	async mapValue(name: string, parameter: string): Promise<void> {
		await this.map(name, parameter);
		// The value appears below the parameter and moves the parameters after it, which a click can then miss.
		await this.mark(`parameter-expression-preview-${parameter}`).waitFor();
	}

	private mark(id: string): Locator {
		return this.page.getByTestId(id);
	}
}
