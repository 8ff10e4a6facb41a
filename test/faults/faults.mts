/**
 * Every fault of the matrix with the expected result. Written by hand from docs/dev/portal-api.md and the
 * rules below, not from the code.
 *
 * Reads and requests that set a value may be sent again. A request that creates something is sent again only
 * when the service has certainly not taken it. A failure that leaves this open says so.
 */
import type { Control, Fault } from '../../dev/simulator/index.mts';
import { kindTitles, type Kind } from '../wire/calls.mts';

export interface Outcome {
	/** The user's view: `a result`, or the message of the error. */
	sees: string;
	/**
	 * As docs/dev/faults.md has it: ✓ or ✗, the requests sent and key exchanges, whether the change was
	 * done (●) or not (○), and whether to look before it is run again (⚠) or just to run it (↻).
	 */
	cell: string;
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

type Expected = FaultCase['expected'];

const unreachable = 'Portal.io cannot be reached';
const uploadBroke = 'The connection to Portal.io broke during the upload';
const failed = 'Portal.io could not process the request';
const fewer = 'Portal.io rate limit reached';
const foreign = 'Unexpected response: it did not come from the Portal.io API';
const clock =
	'Portal.io rejected the login. The clock of the n8n server is about 60 minutes behind that of Portal.io. Set it to the correct time.';

const told = (sees: string, cell = '✗ 1 ○'): Outcome => ({ sees, cell });
/** The outcomes of all kinds, in the order of the table. */
const row = (cells: string[], sees = '', ofUpload = sees) => {
	const outcomes = Object.keys(kindTitles).map((kind, index) => {
		const message = kind === 'upload' ? ofUpload : sees;
		return [kind, told(cells[index]!.startsWith('✓') ? 'a result' : message, cells[index])];
	});
	return Object.fromEntries(outcomes) as Expected;
};

const allWell = (sent = '1') => row([`✓ ${sent} ○`, ...Array<string>(4).fill(`✓ ${sent} ●`)]);

/** The service says no before it has done anything: the user is told why, after one request. */
const refused = (message: string, sent = '1') => row(Array(5).fill(`✗ ${sent} ○`), message);

/** What a request may have done that creates, or deletes, and is not sent again. */
const doubted = (held: '○' | '●') => [`✗ 1 ${held} ↻`, `✗ 1 ${held} ⚠`, `✗ 1 ${held} ⚠`];

/** Something passing happens once, of which nobody knows whether the service took the request. */
const passing = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	row(['✓ 2 ○', '✓ 2 ●', ...doubted(held)], ...said);

/** As `passing`, again and again, with two tries. */
const lasting = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	row(['✗ 2 ○', `✗ 2 ${held} ↻`, ...doubted(held)], ...said);

/** One answer that helps nobody; another would not either. */
const useless = (held: '○' | '●', ...said: [message: string, ofUpload?: string]) =>
	row(['✗ 1 ○', `✗ 1 ${held} ↻`, ...doubted(held)], ...said);

const ALWAYS = 20;

const once = (name: string, fault: Fault, expected: Expected): FaultCase => ({
	name,
	arrange: (_control, fail) => fail(fault),
	expected,
});

const always = (name: string, fault: Fault, expected: Expected): FaultCase =>
	once(`${name}, always`, { times: ALWAYS, ...fault }, expected);

/** Something that leaves open whether it was done, once and again and again. */
const inDoubt = (name: string, fault: Fault, ...ends: Parameters<typeof passing>): FaultCase[] => [
	once(`${name}, once`, fault, passing(...ends)),
	always(name, fault, lasting(...ends)),
];

const dropped = { disconnect: true } as const;
const droppedAfter = { disconnect: true, when: 'after' } as const;
const cut = { brokenResponse: 'cut' } as const;
/** Statuses of gateways, which write pages of their own. Others: test/unit/errors. */
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
const rejectedUpload = told(rejected, '✗ 1+1 ○');

export const faultCases: readonly FaultCase[] = [
	{ name: 'none', arrange: () => {}, expected: allWell() },

	...inDoubt('dropped before it is read', dropped, '○', unreachable, uploadBroke),
	...inDoubt('dropped after it is read', droppedAfter, '●', unreachable, uploadBroke),
	...inDoubt('dropped in the middle of the answer', cut, '●', unreachable, uploadBroke),

	once('400', { status: 400 }, refused('Portal.io did not accept the values of this request')),
	once('401, once', { status: 401 }, { ...allWell('2+1'), upload: rejectedUpload }),
	always('401', { status: 401 }, { ...refused(rejected, '2+1'), upload: rejectedUpload }),
	once('402', { status: 402 }, refused('Your Portal.io subscription is inactive or expired')),
	once('403', { status: 403 }, refused('This Portal.io user does not have permission to do this')),
	once('404', { status: 404 }, refused('No record found with this ID')),
	once(
		'409',
		{ status: 409 },
		// The deleted record is a subscription.
		{
			...refused("The proposal's state prevents this change"),
			delete: told('Portal.io rejected the request: Injected by a test. (Conflict)'),
		},
	),
	once('413', { status: 413 }, refused('The request is larger than Portal.io accepts')),
	// A file is not sent again unasked.
	once('429, once', { status: 429 }, { ...allWell('2'), upload: told(fewer) }),
	always('429', { status: 429 }, { ...refused(fewer, '2'), upload: told(fewer) }),
	once('500', { status: 500 }, useless('○', failed)),
	...gatewayFaults,

	once('answer byte by byte', { brokenResponse: 'slow' }, allWell()),
	once(
		'answer shorter than announced, once',
		{ brokenResponse: 'long' },
		passing('●', unreachable, uploadBroke),
	),
	once('answer longer than announced', { brokenResponse: 'short' }, useless('●', foreign)),
	once(
		'answer that cannot be decompressed',
		{ brokenResponse: 'garbled' },
		useless('●', unreachable, uploadBroke),
	),
	once('answer of broken JSON', { brokenResponse: 'broken' }, useless('●', foreign)),
	once(
		'web page instead of an answer',
		{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' },
		useless('○', foreign),
	),
	once(
		'error in a successful answer',
		{ status: 200, body: { responseStatus: { errorCode: 'Locked', message: 'It is locked' } } },
		useless('○', 'Portal.io reported an error in a successful response'),
	),
	// An acknowledgement may be empty, what was asked for may not.
	once(
		'empty answer',
		{ brokenResponse: 'empty' },
		{ ...allWell(), read: told('Portal.io returned an empty response') },
	),
	{
		name: 'redirect to another host',
		arrange: (_control, fail, otherHost) =>
			fail({ status: 307, headers: { Location: `${otherHost}/public/proposals` }, body: '' }),
		expected: refused('This Portal.io endpoint does not exist'),
	},
	once(
		'answer of 200 MB',
		{ brokenResponse: 'huge' },
		useless('●', "Portal.io's response is larger than 64 MB"),
	),

	once('user key ends as the request comes in', { expireKeys: true }, allWell('2+1')),
	{
		name: 'user key ended before',
		meetsFirst: true,
		arrange: (control) => void control.expireUserKeys(),
		// A creation and an upload read the proposal first, and get the new key then.
		expected: {
			...allWell('2+1'),
			create: told('a result', '✓ 1+1 ●'),
			upload: told('a result', '✓ 1+1 ●'),
		},
	},
	{
		// Last: for ten seconds a refused login is not tried again.
		name: "clock of n8n an hour behind the service's",
		meetsFirst: true,
		arrange: async (control) => await control.advance(3600),
		disarrange: async (control) => await control.advance(-3600),
		expected: {
			...refused(clock, '1+1'),
			create: told(clock, '✗ 0+1 ○'),
			upload: told(clock, '✗ 0+1 ○'),
		},
	},
];
