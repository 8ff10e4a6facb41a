/** The facts as rows of a table. */
import { capital, code, text } from './phrases.mts';

/** What the facts are about, where their names do not say it well enough. */
const LABELS: Record<string, string> = {
	catalogLists: 'Several brands in one search, sent as',
	clockTolerance: 'Seconds that the date may be off',
	creationStatus: 'Status of a creation',
	deleteWithoutBody: 'Content type that a DELETE without a body signs',
	discovery: 'What the service says of itself',
	eventsFormat: 'Several events in one subscription, sent as',
	exchangeEndsFirstKey: 'A second key exchange ends the first key',
	filters: 'Parameters of the queries of lists',
	ifModifiedSince: 'Status with If-Modified-Since',
	largestPage: 'Largest page of the list of proposals',
	missingId: 'Response to an unknown ID',
	missingRoute: 'Response to an unknown route',
	otherQuerySignature: 'Queries may be signed the other way, too',
	queryIsSigned: 'Queries are signed',
	redirect: 'Redirects',
	retryAfter: 'Retry-After',
	secretKeyInList: 'The list of subscriptions has their secrets',
	secretKeyInUpdate: 'The update of a subscription returns its secret',
	sortValues: 'Values of SortBy and SortDirection',
	unauthorizedHeaders: 'Status without headers',
	unknownUserKey: 'Response to an unknown user key',
	webhook: 'Deliveries',
	webhookEvents: 'Events that can be subscribed to',
	webhookRefused: 'Deliveries without a valid signature',
	wrongMethod: 'Response to a method that a route does not have',
	wrongSignature: 'Response to a wrong signature',
};

/** What each fact is about, and the fact, in Markdown. */
export const factRows = (facts: Record<string, unknown>): [string, string][] =>
	Object.entries(facts).map(([name, value]) => [LABELS[name] ?? inWords(name), shown(value)]);

/** A name such as `itemTypes` as words. */
const inWords = (name: string) =>
	text(capital(name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)));

function shown(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'not known';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (Array.isArray(value)) return value.map((one) => code(String(one))).join(', ') || 'none';
	if (typeof value !== 'object') return text(String(value));
	const members = Object.entries(value);
	if (members.length === 0) return 'none';
	const groups = Object.groupBy(members, ([, one]) => shown(one));
	const results = Object.entries(groups);
	if (members.some(([, one]) => typeof one === 'object') || results.length * 2 > members.length) {
		return members.map(([name, one]) => memberOf(name, one)).join(', ');
	}
	// Many names with few results: each result stands once, what was accepted before what was not.
	return results
		.sort(([one], [other]) => Number(/^\d/.test(one)) - Number(/^\d/.test(other)))
		.map(([result, all]) => `${result}: ${all!.map(([name]) => code(name)).join(', ')}`)
		.join('; ');
}

const memberOf = (name: string, value: unknown) =>
	typeof value === 'object' ? `${code(name)} (${shown(value)})` : `${code(name)}: ${shown(value)}`;
