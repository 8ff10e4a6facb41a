import type { Subscription } from '../../client/webhook';
import { subscriptionIds, usableSubscriptions, type Stored, type Subscriptions } from './memory';
import { isSameAddress } from './webhookUrl';

/** The steps that give each event exactly one working subscription. */
export interface Plan {
	/** Those that work. */
	keep: Subscriptions;
	/** The events that need a subscription. */
	add: string[];
	/** The IDs of subscriptions that are disabled, not needed, or have an unknown secret. */
	remove: number[];
	/** For n8n's log: which remembered subscriptions are not this node's or this account's; may be empty. */
	leave: string;
}

/**
 * Compares what Portal.io has with what the node remembers and what it needs. There is one
 * subscription for each event, because Portal.io does not document how several events combine in one.
 * `remote` has all subscriptions of the account. To unpublish a trigger, `wanted` has no events.
 */
export function plan(
	remote: Subscription[],
	remembered: Stored,
	wanted: { events: string[]; url: string; owner: string; account: string },
): Plan {
	const subscriptions = usableSubscriptions(remembered);
	const ids = subscriptionIds(subscriptions);
	const idsAtUrl = remote
		.filter((one) => isSameAddress(one.url, wanted.url))
		.map((one) => one.subscriptionId);
	const isOwner = remembered.owner === wanted.owner;
	// Another user of the same account finds at the address what the previous user created.
	const isSameAccount =
		remembered.account === wanted.account || ids.some((id) => idsAtUrl.includes(id));
	// They count by their ID: Portal.io may show another address, or somebody may have changed it.
	const own = isOwner && isSameAccount ? subscriptions : {};
	const others = own === subscriptions ? [] : ids;
	const reason = isOwner
		? 'the credential now belongs to another Portal.io account. Delete them with a credential of that account'
		: "they belong to another workflow, n8n instance or webhook URL. If this workflow replaces it, use 'Delete' of 'Webhook Subscription'";
	const line = `Portal.io Trigger: keeping subscriptions ${others.join(', ')} because ${reason}`;

	const keep: Subscriptions = {};
	for (const event of wanted.events) {
		const id = own[event]?.subscriptionId;
		const listed = remote.find((one) => one.subscriptionId === id);
		if (listed?.enabled && String(listed.events) === event) keep[event] = own[event]!;
	}
	// When it is unpublished, they may belong to an n8n that replaces this one.
	const strays = wanted.events.length > 0 || ids.length === 0 ? idsAtUrl : [];
	const spared = [...subscriptionIds(keep), ...others];
	return {
		keep,
		add: wanted.events.filter((event) => !Object.hasOwn(keep, event)),
		remove: [...new Set([...subscriptionIds(own), ...strays])].filter((id) => !spared.includes(id)),
		leave: others.length > 0 ? line : '',
	};
}
