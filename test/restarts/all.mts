/** One n8n for both: to start it with its data takes half as long as to start one without any. */
import { describe } from 'vitest';

const parts = {
	restarts: () => import('./restarts.test.mts'),
	durablePolls: () => import('./durablePolls.test.mts'),
};
for (const [name, load] of Object.entries(parts)) {
	describe(name, async () => {
		await load();
	});
}
