/** All that is done in n8n's editor: one file, for one n8n with its editor, and one browser. */
import { describe } from 'vitest';

const parts = {
	firstWorkflow: () => import('./firstWorkflow.mts'),
	dealer: () => import('./dealer.mts'),
	imports: () => import('./imports.mts'),
};
for (const [name, load] of Object.entries(parts)) {
	describe(name, async () => {
		await load();
	});
}
