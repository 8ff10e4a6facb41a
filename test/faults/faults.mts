/**
 * Every fault of the matrix with the expected result. Written by hand from docs/dev/portal-api.md and the
 * rules below, not from the code.
 *
 * Reads and requests that set a value may be sent again. A request that creates something is sent again only
 * when the service has certainly not taken it. A failure that leaves this open says so.
 */
import type { Control, Fault } from '../../dev/simulator/index.mts';
import type { Kind } from '../wire/calls.mts';

export type Held = 'nothing' | 'done' | 'something else';

/** `twice`: look before you run it again; `harmless`: run it again; '': it is certain what was done. */
export type Doubt = '' | 'harmless' | 'twice';

export interface Outcome {
	/** The user's view: `a result`, or the message of the error. */
	sees: string;
	doubt: Doubt;
	sent: number;
	logins: number;
	held: Held;
}

export interface FaultCase {
	name: string;
	/** Its row in the document, where several cases have one. */
	row?: string;
	/** It meets whatever request comes first, and not the one that it is meant for. */
	meetsFirst?: true;
	/** Prepares the service before the call; the fault applies to one request of the operation. */
	arrange(control: Control, fail: (fault: Fault) => void, otherHost: string): Promise<void> | void;
	/** Ends what `clearFaults` does not. */
	disarrange?(control: Control): Promise<void>;
	expected: Record<Kind, Outcome>;
}

const MESSAGES = {
	unreachable: 'Portal.io cannot be reached',
	uploadBroke: 'The connection to Portal.io broke during the upload',
	values: 'Portal.io did not accept the values of this request',
	credential: 'Portal.io did not accept the credential',
	subscription: 'Your Portal.io subscription is inactive or expired',
	permission: 'This Portal.io user does not have permission to do this',
	nothingWithId: 'No record found with this ID',
	state: "The proposal's state prevents this change",
	conflict: 'Portal.io rejected the request: Injected by a test. (Conflict)',
	size: 'The request is larger than Portal.io accepts',
	fewer: 'Portal.io rate limit reached',
	failed: 'Portal.io could not process the request',
	noAddress: 'This Portal.io endpoint does not exist',
	foreign: 'Unexpected response: it did not come from the Portal.io API',
	error: 'Portal.io reported an error in a successful response',
	empty: 'Portal.io returned an empty response',
	large: "Portal.io's response is larger than 64 MB",
	clock:
		'Portal.io rejected the login. The clock of the n8n server is about 60 minutes behind that of Portal.io. Set it to the correct time.',
} as const;

const told = (
	sees: string,
	held: Held,
	{ doubt = '' as Doubt, sent = 1, logins = 0 } = {},
): Outcome => ({ sees, doubt, sent, logins, held });
const result = (held: Held, sent = 1, logins = 0) => told('a result', held, { sent, logins });

const allWell = (sent = 1, logins = 0): FaultCase['expected'] => ({
	read: result('nothing', sent, logins),
	set: result('done', sent, logins),
	delete: result('done', sent, logins),
	create: result('done', sent, logins),
	upload: result('done', sent, logins),
});

/** The service says no before it has done anything: the user is told why, after one request. */
const refused = (message: string, sent = 1, logins = 0): FaultCase['expected'] => {
	const outcome = told(message, 'nothing', { sent, logins });
	return { read: outcome, set: outcome, delete: outcome, create: outcome, upload: outcome };
};

/** Something passing happens once, of which nobody knows whether the service took the request. */
const passing = (message: string, held: 'nothing' | 'done', ofUpload = message) => ({
	read: result('nothing', 2),
	set: result('done', 2),
	delete: told(message, held, { doubt: 'harmless' }),
	create: told(message, held, { doubt: 'twice' }),
	upload: told(ofUpload, held, { doubt: 'twice' }),
});

/** As `passing`, again and again, with two tries. */
const lasting = (message: string, held: 'nothing' | 'done', ofUpload = message) => ({
	...passing(message, held, ofUpload),
	read: told(message, 'nothing', { sent: 2 }),
	set: told(message, held, { doubt: 'harmless', sent: 2 }),
});

/** One answer that helps nobody; another would not either. */
const useless = (
	message: string,
	held: 'nothing' | 'done',
	ofUpload = message,
): FaultCase['expected'] => ({
	read: told(message, 'nothing'),
	set: told(message, held, { doubt: 'harmless' }),
	delete: told(message, held, { doubt: 'harmless' }),
	create: told(message, held, { doubt: 'twice' }),
	upload: told(ofUpload, held, { doubt: 'twice' }),
});

const ALWAYS = 20;

const once = (name: string, fault: Fault, expected: FaultCase['expected']): FaultCase => ({
	name,
	arrange: (_control, fail) => fail(fault),
	expected,
});

const always = (name: string, fault: Fault, expected: FaultCase['expected']): FaultCase =>
	once(`${name}, always`, { times: ALWAYS, ...fault }, expected);

/** Something that leaves open whether it was done, once and again and again. */
const inDoubt = (name: string, fault: Fault, ...ends: Parameters<typeof passing>): FaultCase[] => [
	once(`${name}, once`, fault, passing(...ends)),
	always(name, fault, lasting(...ends)),
];

const { unreachable, uploadBroke, failed } = MESSAGES;
const dropped = { disconnect: true } as const;
const droppedAfter = { disconnect: true, when: 'after' } as const;
const cut = { brokenResponse: 'cut' } as const;
/** Statuses of gateways, which write pages of their own. Others: test/unit/errors. */
const GATEWAYS = [206, 503, 522];
const GATEWAY_NAMES = '206, 408, 425, 502 to 504, 520 to 524';
const page = { headers: { 'Content-Type': 'text/html' }, body: '<html>Please wait</html>' };
const gatewayFaults = GATEWAYS.flatMap((status) =>
	inDoubt(`${status}`, { status, ...page }, failed, 'nothing').map((one) => ({
		...one,
		row: one.name.replace(/^\d+/, GATEWAY_NAMES),
	})),
);

export const faultCases: readonly FaultCase[] = [
	{ name: 'none', arrange: () => {}, expected: allWell() },

	...inDoubt('dropped before it is read', dropped, unreachable, 'nothing', uploadBroke),
	...inDoubt('dropped after it is read', droppedAfter, unreachable, 'done', uploadBroke),
	...inDoubt('dropped in the middle of the answer', cut, unreachable, 'done', uploadBroke),

	once('400', { status: 400 }, refused(MESSAGES.values)),
	once('401, once', { status: 401 }, allWell(2, 1)),
	always('401', { status: 401 }, refused(MESSAGES.credential, 2, 1)),
	once('402', { status: 402 }, refused(MESSAGES.subscription)),
	once('403', { status: 403 }, refused(MESSAGES.permission)),
	once('404', { status: 404 }, refused(MESSAGES.nothingWithId)),
	once(
		'409',
		{ status: 409 },
		// The deleted record is a subscription.
		{ ...refused(MESSAGES.state), delete: told(MESSAGES.conflict, 'nothing') },
	),
	once('413', { status: 413 }, refused(MESSAGES.size)),
	// A file is not sent again unasked.
	once('429, once', { status: 429 }, { ...allWell(2), upload: told(MESSAGES.fewer, 'nothing') }),
	always(
		'429',
		{ status: 429 },
		{ ...refused(MESSAGES.fewer, 2), upload: told(MESSAGES.fewer, 'nothing') },
	),
	once('500', { status: 500 }, useless(failed, 'nothing')),
	...gatewayFaults,

	once('answer byte by byte', { brokenResponse: 'slow' }, allWell()),
	once(
		'answer shorter than announced, once',
		{ brokenResponse: 'long' },
		passing(unreachable, 'done', uploadBroke),
	),
	once(
		'answer longer than announced',
		{ brokenResponse: 'short' },
		useless(MESSAGES.foreign, 'done'),
	),
	once(
		'answer that cannot be decompressed',
		{ brokenResponse: 'garbled' },
		useless(unreachable, 'done', uploadBroke),
	),
	once('answer of broken JSON', { brokenResponse: 'broken' }, useless(MESSAGES.foreign, 'done')),
	once(
		'web page instead of an answer',
		{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' },
		useless(MESSAGES.foreign, 'nothing'),
	),
	once(
		'error in a successful answer',
		{ status: 200, body: { responseStatus: { errorCode: 'Locked', message: 'It is locked' } } },
		useless(MESSAGES.error, 'nothing'),
	),
	// An acknowledgement may be empty, what was asked for may not.
	once(
		'empty answer',
		{ brokenResponse: 'empty' },
		{ ...allWell(), read: told(MESSAGES.empty, 'nothing') },
	),
	{
		name: 'redirect to another host',
		arrange: (_control, fail, otherHost) =>
			fail({ status: 307, headers: { Location: `${otherHost}/public/proposals` }, body: '' }),
		expected: refused(MESSAGES.noAddress),
	},
	once('answer of 200 MB', { brokenResponse: 'huge' }, useless(MESSAGES.large, 'done')),

	once('user key ends as the request comes in', { expireKeys: true }, allWell(2, 1)),
	{
		name: 'user key ended before',
		meetsFirst: true,
		arrange: (control) => void control.expireUserKeys(),
		// The read before an upload finds it out.
		expected: { ...allWell(2, 1), upload: result('done', 1, 1) },
	},
	{
		// Last: for ten seconds a refused login is not tried again.
		name: "clock of n8n an hour behind the service's",
		meetsFirst: true,
		arrange: async (control) => await control.advance(3600),
		disarrange: async (control) => await control.advance(-3600),
		expected: {
			...refused(MESSAGES.clock, 1, 1),
			upload: told(MESSAGES.clock, 'nothing', { sent: 0, logins: 1 }),
		},
	},
];
