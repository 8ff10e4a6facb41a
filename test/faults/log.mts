/** Listens to n8n's log, of which n8n-core writes some lines while it sends requests. */
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
// Settles where n8n keeps its files, before n8n-core is loaded.
import '../../dev/testbed/nodeRunner.mts';

const load = createRequire(import.meta.url);
const loadOfCore = createRequire(load.resolve('n8n-core'));
const { Container } = loadOfCore('@n8n/di') as { Container: { get(type: unknown): unknown } };
const { Logger } = loadOfCore('@n8n/backend-common') as { Logger: unknown };

interface InternalLogger {
	log(...values: unknown[]): void;
	child(): InternalLogger;
}

const lines: string[] = [];
const HEARD = 'this line is kept';

/** Keeps every line from now on instead of printing it. */
export function watchLog(): void {
	const internal: InternalLogger = {
		log: (...values) => void lines.push(inspect(values, { depth: 9 })),
		child: () => internal,
	};
	const logger = Container.get(Logger) as {
		setInternalLogger(logger: InternalLogger): void;
		debug(message: string): void;
	};
	logger.setInternalLogger(internal);
	// A run may log nothing at all, so that this is the only proof of being heard.
	logger.debug(HEARD);
	if (!lines.some((line) => line.includes(HEARD))) throw new Error("n8n's log is not heard");
}

export const logLines = (): readonly string[] => lines;
