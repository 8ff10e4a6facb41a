/**
 * Lists every fault of the matrix with its expected outcome. The outcomes are written by hand from
 * docs/dev/portal-api.md and the rules below, not derived from the code.
 *
 * Reads and requests that set a value can be sent again. A request that creates something is sent again only if the
 * service certainly did not process it. After any other failure, the error says that the service might have processed
 * the request.
 */
import type { Control, Fault } from '../../dev/simulator/index.mts';
import { kindTitles, type Kind } from '../wire/calls.mts';

export interface Outcome {
	/** User's view: `a result`, or the error's message. */
	sees: string;
	/**
	 * Cell in the table in docs/dev/faults.md: ✓ or ✗, the number of requests and logins, whether the change
	 * was made (●) or not (○), and the advice: check before running the step again (⚠), or run it again (↻).
	 */
	cell: string;
}

export interface FaultCase {
	name: string;
	/** Name of the row in docs/dev/faults.md, if several cases share it. */
	row?: string;
	/** Whether the fault always affects the first request of an operation. */
	affectsFirstRequest?: true;
	/** Prepares the service before the call. `fail` makes one of the operation's requests fail. */
	arrange(control: Control, fail: (fault: Fault) => void, otherHost: string): Promise<void> | void;
	/** Undoes what `clearFaults` leaves in place. */
	disarrange?(control: Control): Promise<void>;
	expected: Record<Kind, Outcome>;
}

type Expected = FaultCase['expected'];

const unreachable = 'Portal.io cannot be reached';
const uploadBroke = 'The connection to Portal.io was lost during the upload';
const failed = 'Portal.io could not process the request';
const rateLimited = 'Portal.io rate limit reached';
const foreignResponse = 'Unexpected response that did not come from the Portal.io API';
const wrongClock =
	"Portal.io rejected the login. The n8n server's clock is about 60 minutes behind Portal.io's. Set it to the correct time.";

const outcome = (sees: string, cell = '✗ 1 ○'): Outcome => ({ sees, cell });
/** Returns the outcome for each kind of operation. `cells` are in the order of the table's columns. */
const createOutcomes = (cells: string[], sees = '', uploadSees = sees) => {
	const outcomes = Object.keys(kindTitles).map((kind, index) => {
		const message = kind === 'upload' ? uploadSees : sees;
		return [kind, outcome(cells[index]!.startsWith('✓') ? 'a result' : message, cells[index])];
	});
	return Object.fromEntries(outcomes) as Expected;
};

const succeeds = (sent = '1') =>
	createOutcomes([`✓ ${sent} ○`, ...Array<string>(4).fill(`✓ ${sent} ●`)]);

/** Returns the outcomes of requests that the service rejects without processing them. Each outcome shows `message`. */
const rejects = (message: string, sent = '1') =>
	createOutcomes(Array(5).fill(`✗ ${sent} ○`), message);

/**
 * Returns the table cells for deletions, creations, and uploads, which aren't sent again if they might have been
 * processed.
 */
const cellsInDoubt = (madeMark: '○' | '●') => [
	`✗ 1 ${madeMark} ↻`,
	`✗ 1 ${madeMark} ⚠`,
	`✗ 1 ${madeMark} ⚠`,
];

/** Returns the outcomes of one transient failure after which the request might have been processed. */
const transientOnce = (
	madeMark: '○' | '●',
	...messages: [message: string, uploadMessage?: string]
) => createOutcomes(['✓ 2 ○', '✓ 2 ●', ...cellsInDoubt(madeMark)], ...messages);

/**
 * Returns the outcomes when both attempts fail transiently. After each failure, the request might have been processed.
 */
const transientAlways = (
	madeMark: '○' | '●',
	...messages: [message: string, uploadMessage?: string]
) => createOutcomes(['✗ 2 ○', `✗ 2 ${madeMark} ↻`, ...cellsInDoubt(madeMark)], ...messages);

/** Returns the outcomes of an unusable response, after which no request is sent again. */
const notRepeated = (madeMark: '○' | '●', ...messages: [message: string, uploadMessage?: string]) =>
	createOutcomes(['✗ 1 ○', `✗ 1 ${madeMark} ↻`, ...cellsInDoubt(madeMark)], ...messages);

const ALWAYS = 20;

const once = (name: string, fault: Fault, expected: Expected): FaultCase => ({
	name,
	arrange: (_control, fail) => fail(fault),
	expected,
});

const always = (name: string, fault: Fault, expected: Expected): FaultCase =>
	once(`${name}, always`, { times: ALWAYS, ...fault }, expected);

/**
 * Returns a case in which a transient failure happens once, and a case in which it always happens. In both cases, the
 * request might have been processed.
 */
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
/** Statuses of gateways, which respond with web pages. test/unit/retry covers the other statuses. */
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
/**
 * Outcome of a rejected upload whose login returns the same key. The key is then not the reason for the rejection, so
 * the file is not sent again.
 */
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
		// The record that is deleted is a subscription, so the error doesn't mention a proposal.
		{
			...rejects("The proposal's state prevents this change"),
			delete: outcome('Portal.io rejected the request: Injected by a test. (Conflict)'),
		},
	),
	once('413', { status: 413 }, rejects('The request is larger than Portal.io accepts')),
	// A file is sent only once.
	once('429, once', { status: 429 }, { ...succeeds('2'), upload: outcome(rateLimited) }),
	always('429', { status: 429 }, { ...rejects(rateLimited, '2'), upload: outcome(rateLimited) }),
	once('500', { status: 500 }, notRepeated('○', failed)),
	...gatewayFaults,

	once('response byte by byte', { brokenResponse: 'slow' }, succeeds()),
	once(
		'response shorter than announced, once',
		{ brokenResponse: 'long' },
		transientOnce('●', unreachable, uploadBroke),
	),
	once(
		'response longer than announced',
		{ brokenResponse: 'short' },
		notRepeated('●', foreignResponse),
	),
	once(
		'response that cannot be decompressed',
		{ brokenResponse: 'garbled' },
		notRepeated('●', unreachable, uploadBroke),
	),
	once('response of broken JSON', { brokenResponse: 'broken' }, notRepeated('●', foreignResponse)),
	once(
		'web page instead of a response',
		{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' },
		notRepeated('○', foreignResponse),
	),
	once(
		'error in a successful response',
		{ status: 200, body: { responseStatus: { errorCode: 'Locked', message: 'It is locked' } } },
		notRepeated('○', 'Portal.io reported an error in a successful response'),
	),
	// The acknowledgment of a change can be empty, but not the response to a read.
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

	once('user API key expires when the request arrives', { expireKeys: true }, succeeds('2+1')),
	{
		name: 'expired user API key',
		affectsFirstRequest: true,
		arrange: (control) => void control.expireUserKeys(),
		// A creation or upload reads the proposal first, and this read already renews the key.
		expected: {
			...succeeds('2+1'),
			create: outcome('a result', '✓ 1+1 ●'),
			upload: outcome('a result', '✓ 1+1 ●'),
		},
	},
	{
		// Keep this fault last, because a rejected login isn't repeated for ten seconds.
		name: "clock of n8n an hour behind the service's",
		affectsFirstRequest: true,
		arrange: async (control) => await control.advance(3600),
		disarrange: async (control) => await control.advance(-3600),
		expected: {
			...rejects(wrongClock, '1+1'),
			create: outcome(wrongClock, '✗ 0+1 ○'),
			upload: outcome(wrongClock, '✗ 0+1 ○'),
		},
	},
];
