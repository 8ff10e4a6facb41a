/** A service whose errors, names, pages and redirects hold what no record of it holds. */
import type { Changed, Incoming } from './gateway.mts';

const SAID =
	'Bob Unseen of Acme Widgets may not change Lobby at 12 Elm St, \u001b[31m+1 555 0100\u202e @octocat ![p](https://evil.example/p) #17 | <b';

/** What must stand nowhere, also not in part. */
export const PERSONAL = [
	...['Bob', 'Unseen', 'Acme', 'Widgets', 'Lobby', 'Elm', '555', 'octocat', 'evil', 'Jane', 'Roe'],
	...['4711', 'unseen', '\u001b', '\u202e', '![', 'Kowalski', 'Holt'],
];

const JSON_TYPE = { 'content-type': 'application/json' };
const NAMES = ['Jane Roe', 'jane@unseen.example', 'Client 4711 Elm Street', '[x](//evil) @octocat'];
/** Without texts: a text in a record is known, and hidden wherever it stands. */
const members = Object.fromEntries(NAMES.map((name) => [name, { [`${name} | \u001b[1m`]: 1 }]));

const refusal = (status: number): Changed => ({
	status,
	headers: JSON_TYPE,
	body: JSON.stringify({
		...members,
		errorCode: SAID,
		message: SAID,
		status,
		responseStatus: {
			message: SAID,
			errors: [...NAMES, 'Items[0].Jane Roe', 'Kowalski_4711'].map((fieldName) => ({
				fieldName,
				message: SAID,
				errorCode: SAID,
			})),
		},
	}),
});

/** A description with names of its own: some look like names, others do not. */
const description = JSON.stringify({
	openapi: '3.0.0',
	info: { title: SAID, version: '1' },
	paths: {
		'/public/clients/4711-Elm-Street': { get: { responses: {} } },
		'/public/Jane%20Roe/{jane@unseen.example}': { get: { responses: {} } },
		'/public/users': {
			get: {
				parameters: NAMES.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
				responses: {
					200: {
						description: SAID,
						content: {
							'application/json': {
								schema: {
									type: 'object',
									properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
								},
							},
						},
					},
				},
			},
		},
	},
});

/** Answers in place of the service. */
export function before({ method, url }: Incoming): Changed | undefined {
	const path = url.replace(/\?.*/, '');
	if (path === '/openapi') return { headers: JSON_TYPE, body: description };
	if (['/', '/public/users/', '/public/proposals/'].includes(path)) {
		const location =
			path === '/' ? 'https://evil.example/Jane-Roe/4711' : `/Kowalski/Holt/jane@unseen.example`;
		return { status: 302, headers: { location } };
	}
	if (/\/(qty|cost|price)$/i.test(path) || (method === 'POST' && path.endsWith('/webhooks'))) {
		return refusal(400);
	}
	if (path === '/public/n8n-probe/no-such-route') return refusal(404);
	return undefined;
}

/** Adds members to every object that the service responds with. */
export function after({ url }: Incoming, body: string): Changed | undefined {
	if (url.startsWith('/authenticate') || !body.startsWith('{')) return undefined;
	return { body: JSON.stringify({ ...JSON.parse(body), ...members }) };
}
