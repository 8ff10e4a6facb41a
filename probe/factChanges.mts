/** From facts to what to change in this package. What the package copes with is no change. */
import { createRequire } from 'node:module';
import { code, joined } from './phrases.mts';
import type { Report } from './model.mts';

const load = createRequire(import.meta.url);
const { EVENTS } = load('../dist/client/model.js') as { EVENTS: Record<string, string> };

/** The page that the polling trigger asks for; lists take smaller ones after a refusal. */
const POLLED_PAGE = 100;
/** The smallest page that lists ask for in the end. */
const SMALLEST_PAGE = 10;
/** What the clock of a machine may be off in seconds. */
const TOLERANCE = 300;
/** To how many seconds the probe finds the tolerance. */
const SLACK = 10;

type Facts = Report['facts'];

/** The lines that say what to change, each beginning with the file. */
export const factChanges = ({ facts }: Report): string[] => [
	...contradictionsOf(facts),
	...moreEvents(facts.webhookEvents),
];

/** Those without which this package does not work as it should. */
export const contradictionsOf = (facts: Facts): string[] => [
	...(facts.queryIsSigned === true ? ['client/auth/signRequest.ts: sign the query, too'] : []),
	...pageChanges(facts.largestPage),
	...clockChanges(facts.clockTolerance),
	...missingEvents(facts.webhookEvents),
];

/** A page that comes shorter than it was asked for is understood everywhere; a refusal is not. */
function pageChanges(found: unknown): string[] {
	const { accepted, refused } = (found ?? {}) as { accepted?: number; refused?: number };
	if (accepted === undefined || refused === undefined || accepted >= POLLED_PAGE) return [];
	const file = 'nodes/PortalIoPollingTrigger/readModified.ts';
	return [
		`${file}: ask for pages of ${accepted}, as ${POLLED_PAGE} are refused`,
		...(accepted < SMALLEST_PAGE
			? [`client/lists/pageSize.ts: add a size of ${accepted}, as ${SMALLEST_PAGE} are refused`]
			: []),
	];
}

function clockChanges(found: unknown): string[] {
	const limits = (found ?? {}) as Record<string, { accepted?: number; refused?: number }>;
	const narrow = ['ahead', 'behind'].flatMap((side) => {
		const { accepted, refused } = limits[side] ?? {};
		const isNarrow = refused !== undefined && accepted! < TOLERANCE - SLACK;
		return isNarrow ? [`${accepted} seconds ${side}`] : [];
	});
	return narrow.length === 0
		? []
		: [
				`client/auth/signRequest.ts: take the time from the service, as a date may be at most ${joined(narrow)}`,
			];
}

const resultsOf = (found: unknown) =>
	typeof found === 'object' && found !== null ? Object.entries(found) : [];

const ours = new Set(Object.values(EVENTS));

const eventLine = (which: string, results: [string, unknown][]) =>
	results.length === 0
		? []
		: [
				`client/model.ts: events that the service ${which}: ${joined(results.map(([name]) => code(name)))}`,
			];

/** The identifiers of events, each with what became of a subscription to it. */
const missingEvents = (found: unknown) =>
	eventLine(
		'does not have',
		resultsOf(found).filter(([name, result]) => ours.has(name) && result !== 'accepted'),
	);

const moreEvents = (found: unknown) =>
	eventLine(
		'has, too',
		resultsOf(found).filter(([name, result]) => !ours.has(name) && result === 'accepted'),
	);
