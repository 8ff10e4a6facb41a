/** Tells the runner which changes concern what is evaluated when a module is loaded. */
import { beforeAll, inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		globalNamespace: '__stryker__';
	}
	interface TaskMeta {
		atLoad?: string[];
	}
}
declare const globalThis: { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } };

const hits = () => ({ ...globalThis[inject('globalNamespace')]?.mutantCoverage?.static });
const before = hits();
// Vitest gives the suite only to what takes apart its first argument.
beforeAll(({}, suite) => {
	suite.meta.atLoad = Object.entries(hits())
		.filter(([id, count]) => count !== before[id])
		.map(([id]) => id);
});
