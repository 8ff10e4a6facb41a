/** Before each file: tells the runner which changes concern what is evaluated when a module is loaded. */
import fc from 'fast-check';
import { beforeAll, inject } from 'vitest';

// The first failure of a property has noticed a change, whatever the smallest one is.
fc.configureGlobal({ endOnFailure: true });
// Nobody reads where it failed, and Vitest looks for the source of each line.
Error.stackTraceLimit = 1;

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
