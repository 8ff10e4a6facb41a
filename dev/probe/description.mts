/** What the service says of itself: kept as it came, for a person to read. */
import { endpoints } from './contract.mts';
import type { Probe } from './probe.mts';

const PAGES = [
	'/metadata',
	'/types/typescript',
	'/types/metadata',
	'/openapi',
	'/openapi.json',
	'/swagger',
	'/swagger.json',
];

/** A page by its path. */
export type Description = Record<string, string>;

/** Reads every page that is there. */
export async function readDescription({ session }: Probe): Promise<Description> {
	const pages: Description = {};
	for (const path of PAGES) {
		const { isSuccess, data } = await session.send({ method: 'GET', path });
		if (!isSuccess || data === '') continue;
		const text = typeof data === 'string' ? data : JSON.stringify(data, undefined, '\t');
		pages[path] = session.conversation.withoutSecrets(text);
	}
	return pages;
}

/** Adds to the report which of the fields that this package sends are on none of the pages. */
export function reportDescription(probe: Probe, pages: Description): void {
	if (Object.keys(pages).length === 0) {
		probe.facts.description = `The service has none of ${PAGES.join(', ')}.`;
		return;
	}
	const text = Object.values(pages).join('\n').toLowerCase();
	// A word of a path is no field.
	const words = new Set(text.match(/(?<![\w/{])\w+/g));
	const fieldsNotMentioned: Record<string, string[]> = {};
	for (const { operation, fields } of endpoints) {
		const missing = fields.filter((field) => !words.has(field.toLowerCase()));
		if (missing.length > 0) fieldsNotMentioned[operation] = missing;
		const report = probe.reportOf(operation);
		if (report.verdict !== 'no effect') continue;
		report.note +=
			missing.length > 0
				? ` The service's description does not mention ${missing.join(', ')}.`
				: " Look for the names in the service's description, saved beside the report.";
	}
	probe.facts.description = { pages: Object.keys(pages), fieldsNotMentioned };
}
