/** From facts to what to change in this package. */
import { createRequire } from 'node:module';
import { code, joined } from './phrases.mts';
import type { Report } from './model.mts';

const load = createRequire(import.meta.url);
const { EVENTS } = load('../dist/client/model.js') as { EVENTS: Record<string, string> };

/** The lines that say what to change, each beginning with the file. */
export const factChanges = ({ facts }: Report): string[] => [
	...(facts.queryIsSigned === true ? ['client/auth/signRequest.ts: sign the query, too'] : []),
	...eventChanges(facts.webhookEvents),
];

/** The identifiers of events, each with what became of a subscription to it. */
function eventChanges(found: unknown): string[] {
	if (typeof found !== 'object' || found === null) return [];
	const results = Object.entries(found);
	const ours = new Set(Object.values(EVENTS));
	const gone = results.filter(([name, result]) => ours.has(name) && result !== 'accepted');
	const others = results.filter(([name, result]) => !ours.has(name) && result === 'accepted');
	const names = (entries: typeof results) => joined(entries.map(([name]) => code(name)));
	return [
		...(gone.length === 0
			? []
			: [`client/model.ts: events that the service does not have: ${names(gone)}`]),
		...(others.length === 0
			? []
			: [`client/model.ts: events that the service has, too: ${names(others)}`]),
	];
}
