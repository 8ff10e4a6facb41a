/**
 * Every fault of the matrix with the expected result. Written by hand from docs/dev/portal-api.md and the
 * rules below, not from the code.
 *
 * Reads and requests that set a value may be sent again. A request that creates something is sent again only
 * if the service definitely did not process it. The error of any other failure says that it may have.
 */
import type { Control, Fault } from '../../dev/simulator/index.mts';
import { kindTitles, type Kind } from '../wire/calls.mts';

export interface Outcome {
	/** The user's view: `a result`, or the message of the error. */
	sees: string;
	/**
	 * A cell of the table in docs/dev/faults.md: ✓ or ✗, the number of requests and logins, whether the change
	 * was made (●) or not (○), and the advice: check before running the step again (⚠), or run it again (↻).
	 */
	cell: string;
}

export interface FaultCase {
	name: string;
	/** Its row in the document, where several cases have one. */
	row?: string;
	/** Whether it affects the first request that is sent, whichever that is. */
	meetsFirst?: true;
	/** Prepares the service before the call; the fault applies to one request of the operation. */
	arrange(control: Control, fail: (fault: Fault) => void, otherHost: string): Promise<void> | void;
	/** Undoes what `clearFaults` does not undo. */
	disarrange?(control: Control): Promise<void>;
	expected: Record<Kind, Outcome>;
}

type Expected = FaultCase['expected'];

const unreachable = 'Portal.io cannot be reached';
const uploadBroke = 'The connection to Portal.io broke during the upload';
const failed = 'Portal.io could not process the request';
const fewer = 'Portal.io rate limit reached';
const foreign = 'Unexpected response that did not come from the Portal.io API';
const clock =
	"Portal.io rejected the login. The n8n server's clock is about 60 minutes behind Portal.io's. Set it to the correct time.";

const outcome = (sees: string, cell = '✗ 1 ○'): Outcome => ({ sees, cell });
/** The outcomes of all kinds, in the order of the table. */
const outcomesOf = (cells: string[], sees = '', ofUpload = sees) => {
	const outcomes = Object.keys(kindTitles).map((kind, index) => {
		const message = kind === 'upload' ? ofUpload : sees;
		return [kind, outcome(cells[index]!.startsWith('✓') ? 'a result' : message, cells[index])];
	});
	return Object.fromEntries(outcomes) as Expected;
};

const succeeds = (sent = '1') =>
	outcomesOf([`✓ ${sent} ○`, ...Array<string>(4).fill(`✓ ${sent} ●`)]);

/** The service rejects the request and has done nothing: the error says why, after one request. */
const rejects = (message: string, sent = '1') => outcomesOf(Array(5).fill(`✗ ${sent} ○`), message);

/** For deletions, creations and uploads, which are not sent again if they may have been processed. */
const cellsInDoubt = (held: '○' | '●') => [`✗ 1 ${held} ↻`, `✗ 1 ${held} ⚠`, `✗ 1 ${held} ⚠`];

/** A transient failure, once, after which the request may have been processed. */
const transientOnce = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	outcomesOf(['✓ 2 ○', '✓ 2 ●', ...cellsInDoubt(held)], ...said);

/** The same failure of both attempts. */
const transientAlways = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	outcomesOf(['✗ 2 ○', `✗ 2 ${held} ↻`, ...cellsInDoubt(held)], ...said);

/** A response that cannot be used, after which no attempt is repeated. */
const notRepeated = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	outcomesOf(['✗ 1 ○', `✗ 1 ${held} ↻`, ...cellsInDoubt(held)], ...said);

const ALWAYS = 20;

const once = (name: string, fault: Fault, expected: Expected): FaultCase => ({
	name,
	arrange: (_control, fail) => fail(fault),
	expected,
});

const always = (name: string, fault: Fault, expected: Expected): FaultCase =>
	once(`${name}, always`, { times: ALWAYS, ...fault }, expected);

/** A transient failure after which the request may have been processed, once and always. */
const inDoubt = (
	name: string,
	fault: Fault,
	...ends: Parameters<typeof transientOnce>
): FaultCase[] => [
	once(`${name}, once`, fault, transientOnce(...ends)),
	always(name, fault, transientAlways(...ends)),
];

const dropped = { disconnect: true } as const;
const droppedAfter = { disconnect: true, when: 'after' } as const;
const cut = { brokenResponse: 'cut' } as const;
/** Statuses of gateways, which write pages of their own. The rest: test/unit/retry. */
const GATEWAYS = [206, 503, 522];
const GATEWAY_NAMES = '206, 408, 425, 502 to 504, 520 to 524';
const page = { headers: { 'Content-Type': 'text/html' }, body: '<html>Please wait</html>' };
const gatewayFaults = GATEWAYS.flatMap((status) =>
	inDoubt(`${status}`, { status, ...page }, '○', failed).map((one) => ({
		...one,
		row: one.name.replace(/^\d+/, GATEWAY_NAMES),
	})),
);

const rejected = 'Portal.io accepted the login, but rejected the request';
/** The login returns the same key, so it is not the reason: the file is not sent again. */
const rejectedUpload = outcome(rejected, '✗ 1+1 ○');

export const faultCases: readonly FaultCase[] = [
	{ name: 'none', arrange: () => {}, expected: succeeds() },

	...inDoubt('dropped before it is read', dropped, '○', unreachable, uploadBroke),
	...inDoubt('dropped after it is read', droppedAfter, '●', unreachable, uploadBroke),
	...inDoubt('dropped in the middle of the response', cut, '●', unreachable, uploadBroke),

	once('400', { status: 400 }, rejects('Portal.io did not accept the values in this request')),
	once('401, once', { status: 401 }, { ...succeeds('2+1'), upload: rejectedUpload }),
	always('401', { status: 401 }, { ...rejects(rejected, '2+1'), upload: rejectedUpload }),
	once('402', { status: 402 }, rejects('Your Portal.io subscription is inactive or expired')),
	once('403', { status: 403 }, rejects('This Portal.io user does not have permission to do this')),
	once('404', { status: 404 }, rejects('No record found with this ID')),
	once(
		'409',
		{ status: 409 },
		// The deleted record is a subscription.
		{
			...rejects("The proposal's state prevents this change"),
			delete: outcome('Portal.io rejected the request: Injected by a test. (Conflict)'),
		},
	),
	once('413', { status: 413 }, rejects('The request is larger than Portal.io accepts')),
	// A file is sent only once.
	once('429, once', { status: 429 }, { ...succeeds('2'), upload: outcome(fewer) }),
	always('429', { status: 429 }, { ...rejects(fewer, '2'), upload: outcome(fewer) }),
	once('500', { status: 500 }, notRepeated('○', failed)),
	...gatewayFaults,

	once('response byte by byte', { brokenResponse: 'slow' }, succeeds()),
	once(
		'response shorter than announced, once',
		{ brokenResponse: 'long' },
		transientOnce('●', unreachable, uploadBroke),
	),
	once('response longer than announced', { brokenResponse: 'short' }, notRepeated('●', foreign)),
	once(
		'response that cannot be decompressed',
		{ brokenResponse: 'garbled' },
		notRepeated('●', unreachable, uploadBroke),
	),
	once('response of broken JSON', { brokenResponse: 'broken' }, notRepeated('●', foreign)),
	once(
		'web page instead of a response',
		{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' },
		notRepeated('○', foreign),
	),
	once(
		'error in a successful response',
		{ status: 200, body: { responseStatus: { errorCode: 'Locked', message: 'It is locked' } } },
		notRepeated('○', 'Portal.io reported an error in a successful response'),
	),
	// An acknowledgment may be empty, but not the response to a read.
	once(
		'empty response',
		{ brokenResponse: 'empty' },
		{ ...succeeds(), read: outcome('Portal.io returned an empty response') },
	),
	{
		name: 'redirect to another host',
		arrange: (_control, fail, otherHost) =>
			fail({ status: 307, headers: { Location: `${otherHost}/public/proposals` }, body: '' }),
		expected: rejects('This Portal.io endpoint does not exist'),
	},
	once(
		'response of 200 MB',
		{ brokenResponse: 'huge' },
		notRepeated('●', "Portal.io's response is larger than 64 MB"),
	),

	once('user key ends as the request comes in', { expireKeys: true }, succeeds('2+1')),
	{
		name: 'user key ended before',
		meetsFirst: true,
		arrange: (control) => void control.expireUserKeys(),
		// A creation and an upload read the proposal first, which renews the key.
		expected: {
			...succeeds('2+1'),
			create: outcome('a result', '✓ 1+1 ●'),
			upload: outcome('a result', '✓ 1+1 ●'),
		},
	},
	{
		// This is the last fault: a rejected login is not repeated for ten seconds.
		name: "clock of n8n an hour behind the service's",
		meetsFirst: true,
		arrange: async (control) => await control.advance(3600),
		disarrange: async (control) => await control.advance(-3600),
		expected: {
			...rejects(clock, '1+1'),
			create: outcome(clock, '✗ 0+1 ○'),
			upload: outcome(clock, '✗ 0+1 ○'),
		},
	},
];
