/** What is asked beside the operations. Each fact is a plain value without any of the account. */
import { Ended } from '../service.mts';
import type { Walk } from '../walk/walk.mts';
import { clockTolerance } from './clock.mts';
import {
	ifModifiedSince,
	missingId,
	missingRoute,
	redirect,
	retryAfter,
	wrongMethod,
} from './errors.mts';
import { deleteWithoutBody, eventsFormat, secretKeyInList, webhookEvents } from './events.mts';
import { filters, reportIgnored } from './filters.mts';
import { catalogLists, sortValues } from './lists.mts';
import { largestPage } from './pages.mts';
import {
	otherQuerySignature,
	unauthorizedHeaders,
	unknownUserKey,
	wrongSignature,
} from './signature.mts';

type Fact = (walk: Walk) => Promise<unknown>;

const READS: Record<string, Fact> = {
	missingRoute,
	missingId,
	redirect,
	largestPage,
	sortValues,
	filters,
	catalogLists,
	ifModifiedSince,
	otherQuerySignature,
	wrongSignature,
	unknownUserKey,
	unauthorizedHeaders,
	clockTolerance,
};

const WRITES: Record<string, Fact> = {
	// First, as it shows how subscriptions can be removed.
	deleteWithoutBody,
	webhookEvents,
	eventsFormat,
	secretKeyInList,
	wrongMethod,
};

/**
 * Collects the facts.
 *
 * @throws Ended when the service cannot be asked any further
 */
export async function collectFacts(walk: Walk, onProgress: (text: string) => void): Promise<void> {
	const { facts } = walk.probe;
	const asked = { ...(walk.readOnly ? {} : WRITES), ...READS, retryAfter };
	for (const [name, fact] of Object.entries(asked)) {
		onProgress(`fact: ${name}`);
		facts[name] = await fact(walk).catch((error: Error) => {
			if (error instanceof Ended) throw error;
			return `not known: the response was not understood (${error.name})`;
		});
	}
	reportIgnored(walk);
}
