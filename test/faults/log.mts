/** Captures n8n's log, including the lines that n8n-core writes while it sends requests. */
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
// Set n8n's user folder before n8n-core is loaded.
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
const PROBE_LINE = 'this line is kept';

/** Captures every later line of the log instead of printing it. */
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
	// Prove that lines are captured, because a run might not log anything.
	logger.debug(PROBE_LINE);
	if (!lines.some((line) => line.includes(PROBE_LINE)))
		throw new Error("n8n's log is not captured");
}

export const logLines = (): readonly string[] => lines;
