/** What events may be called. */

/** The documented events, and what older documents call them. */
export const EVENTS: Record<string, string> = {
	'proposal.status_changed': 'ProposalStatusChanged',
	'proposal.outline.status_update': 'ProposalOutlineStatusChanged',
	'proposal.build.status_update': 'ProposalBuildStatusChanged',
};

/** Every identifier that some document has. */
export const DOCUMENTED = [
	...Object.keys(EVENTS),
	...Object.values(EVENTS),
	'PersonModification',
	'PaymentStatusChange',
	'OrderStatusChange',
];

/** What has a status, and what is changed, in the words of the service. */
const WITH_STATUS = ['proposal', 'outline', 'build', 'payment', 'payment request', 'order'].concat(
	...['change order', 'proposal outline', 'proposal build', 'proposal payment', 'proposal order'],
);
const CHANGED = ['contact', 'person', 'proposal'];

const pascal = (words: string) =>
	words.replace(/(?:^| )([a-z])/g, (_, letter: string) => letter.toUpperCase());

const combined = (
	records: string[],
	verbs: string[],
	join: (record: string, verb: string) => string,
) => records.flatMap((record) => verbs.map((verb) => join(record, verb)));

/** Identifiers such as `PaymentStatusChanged`. */
export const PASCAL_CASE = [
	...combined(
		WITH_STATUS,
		['StatusChanged', 'StatusChange', 'StatusUpdated', 'StatusUpdate'],
		(record, verb) => pascal(record) + verb,
	),
	...combined(
		CHANGED,
		['Created', 'Updated', 'Modified', 'Modification', 'Changed', 'Deleted'],
		(record, verb) => pascal(record) + verb,
	),
];

/** Identifiers such as `payment.status_changed`. */
export const DOTTED = [
	...combined(
		WITH_STATUS,
		['status_changed', 'status_update'],
		(record, verb) => `${record.replace(/^proposal /, 'proposal.').replaceAll(' ', '_')}.${verb}`,
	),
	...combined(
		CHANGED,
		['created', 'updated', 'modified', 'deleted'],
		(record, verb) => `${record}.${verb}`,
	),
];
