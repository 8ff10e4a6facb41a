/** How sure the operations are, by the marks of the endpoints that they send to. */
import { endpointOf } from './contract.mts';
import { innerFields, type Declared } from './declared.mts';

/** Whether no document describes its body, so that the node lets users correct it. */
const isUndocumented = ({ declaration }: Declared) =>
	declaration.fields.flatMap(innerFields).some(({ name }) => name === 'extraFields');

const endpointsOf = ({ completeSteps }: Declared) =>
	completeSteps.map(({ sets = [], method, path }) => ({ sets, ...endpointOf(method, path) }));

/** What the tables say of an operation; nothing where the documents state its requests. */
export function certaintyOf(declared: Declared): string {
	const marks = endpointsOf(declared).map(({ mark }) => mark);
	if (marks.every((mark) => mark === 'confirmed')) return 'confirmed';
	if (!marks.includes('assumed')) return '';
	return marks.includes('confirmed') ? 'assumed in part' : 'assumed';
}

/** What its section says of bodies that no document describes. */
export function certaintySentence(declared: Declared): string[] {
	if (!isUndocumented(declared)) return [];
	const all = endpointsOf(declared);
	const confirmed = all.filter(({ mark }) => mark === 'confirmed');
	const labels = confirmed.flatMap(({ sets }) => sets.map((label) => `*${label}*`)).join(', ');
	const silence = 'Portal.io does not document the body of this request';
	if (confirmed.length === 0) {
		return [`${silence}: it is [assumed](../assumptions.md), and *Options* can correct it.`, ''];
	}
	if (confirmed.length === all.length) {
		return [`${silence}. [The probe](../probe.md) has confirmed it.`, ''];
	}
	return [
		`${silence}. [The probe](../probe.md) has confirmed ${labels}; the others are [assumed](../assumptions.md), and *Options* can correct them.`,
		'',
	];
}

/** What the README says of all of them. */
export function certaintyOfAll(operations: Declared[]): string[] {
	const undocumented = operations.filter(isUndocumented);
	const assumed = undocumented.filter((one) => certaintyOf(one) !== 'confirmed');
	if (undocumented.length === 0) return [];
	if (assumed.length === 0) {
		return [
			'',
			`Portal.io does not document the body of ${undocumented.length} operations. [The probe](docs/probe.md) has confirmed all of them.`,
		];
	}
	const which =
		assumed.length === 1
			? 'one operation, which is marked'
			: `${assumed.length} operations, which are marked`;
	return [
		'',
		`Portal.io does not document the request bodies of ${which} *assumed*. If Portal.io refuses one, you can [correct it in the node](docs/assumptions.md#requests-whose-body-is-not-documented) without waiting for a release. With keys of your own, [the probe](docs/probe.md) finds out what Portal.io wants.`,
	];
}
