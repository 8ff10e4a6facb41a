/** The walk through all operations of the service, in an order in which each has what it needs. */
import { endpointOf } from '../contract.mts';
import { NEEDS_AI, ONLY_READS } from '../leftOut.mts';
import { Unprepared } from '../probe.mts';
import { Ended } from '../service.mts';
import { AI_OPERATIONS, readContents, tryAi } from './ai.mts';
import { createAreas, updateOptions } from './areas.mts';
import { readCatalog } from './catalog.mts';
import { readChangeOrders } from './changeOrders.mts';
import { createContact, createLocation, readContacts, readUsers } from './contacts.mts';
import { tryFields, tryFlags } from './itemFields.mts';
import { readSuppliers, tryToRefreshCosts, tryToReplace, trySuppliers } from './itemSources.mts';
import { deleteAllItems, tryToAdd, tryToCopy, tryToDelete, tryToMove } from './items.mts';
import {
	assignContact,
	assignLocation,
	createProposal,
	findProposal,
	listProposals,
	readOwnProposal,
	updateProposal,
} from './proposal.mts';
import { trySubscriptions } from './subscriptions.mts';
import { itemsOf, readProposal, type Walk } from './walk.mts';

/** Where a step can be taken: always, where writes are allowed, or in a proposal of the probe. */
type Where = 'anywhere' | 'writing' | 'own proposal' | 'existing proposal';

type Step = [what: string, where: Where, step: (walk: Walk) => Promise<void>];

const STEPS: Step[] = [
	['users', 'anywhere', readUsers],
	['catalog', 'anywhere', readCatalog],
	['contact', 'writing', createContact],
	['proposal', 'writing', createProposal],
	['list of proposals', 'anywhere', findProposal],
	['proposal', 'anywhere', readOwnProposal],
	['customer of the proposal', 'own proposal', assignContact],
	// The contact brings no location into the proposal, as it gets one only now.
	['location', 'writing', createLocation],
	['location of the proposal', 'own proposal', assignLocation],
	['name and texts of the proposal', 'own proposal', updateProposal],
	['areas', 'own proposal', createAreas],
	['area options', 'own proposal', updateOptions],
	['items', 'own proposal', addItems],
	['fields of items', 'own proposal', withItems(tryFields)],
	['flags of items', 'own proposal', withItems(tryFlags)],
	['replacing items', 'own proposal', withItems(tryToReplace)],
	['suppliers of items', 'own proposal', withItems(trySuppliers)],
	['costs of items', 'own proposal', withItems(tryToRefreshCosts)],
	['moving items', 'own proposal', withItems(tryToMove)],
	['copying items', 'own proposal', withItems(tryToCopy)],
	['deleting items', 'own proposal', withItems(tryToDelete)],
	['suppliers of items', 'existing proposal', readSuppliers],
	// Late, as lists may take a moment to show what is new.
	['contacts', 'anywhere', readContacts],
	['list of proposals', 'own proposal', listProposals],
	['change orders', 'anywhere', readChangeOrders],
	['AI content', 'anywhere', readContents],
	['webhook subscriptions', 'anywhere', trySubscriptions],
];

async function addItems(walk: Walk): Promise<void> {
	if (walk.optionIds.length === 0 || walk.parts.length === 0) return;
	const what = `Items of the proposal '${walk.name}'`;
	walk.cleanup.add(what, async () => await deleteAllItems(walk));
	await tryToAdd(walk);
}

function withItems(step: (walk: Walk) => Promise<void>) {
	return async (walk: Walk) => {
		if (itemsOf(await readProposal(walk)).length > 0) await step(walk);
	};
}

function canTake({ readOnly, isOwnProposal, proposalId }: Walk, where: Where): boolean {
	if (where === 'anywhere') return true;
	if (where === 'existing proposal') return !isOwnProposal && proposalId !== undefined;
	return !readOnly && (where === 'writing' || isOwnProposal);
}

/**
 * Tries all operations.
 *
 * @param beforeAi what has to be ready when AI work begins
 * @throws Ended when the service cannot be asked any further
 */
export async function walkService(
	walk: Walk,
	onProgress: (text: string) => void,
	beforeAi: () => Promise<void>,
): Promise<void> {
	for (const [what, where, step] of STEPS) {
		if (!canTake(walk, where)) continue;
		onProgress(what);
		await carryOn(walk, what, step);
	}
	if (walk.ai && !walk.readOnly && walk.isOwnProposal) {
		onProgress('AI Builder');
		await carryOn(walk, 'webhook', beforeAi);
		await carryOn(walk, 'AI Builder', tryAi);
	}
	giveReasons(walk);
}

/** Takes a step. A response that it cannot read ends this step and no other. */
async function carryOn(
	walk: Walk,
	what: string,
	step: (walk: Walk) => Promise<void>,
): Promise<void> {
	await step(walk).catch((error: Error) => {
		if (error instanceof Ended) throw error;
		if (!(error instanceof Unprepared)) walk.unreadable.push(`${what} (${error.name})`);
	});
}

/** Says of what was not tried why. */
function giveReasons(walk: Walk): void {
	const { probe, readOnly, ai, isOwnProposal, unreadable } = walk;
	for (const [operation, { verdict, note }] of probe.endpoints) {
		if (verdict !== 'not tried' || note !== undefined) continue;
		const isWrite = endpointOf(operation).method !== 'GET';
		let why = 'What it needs could not be made or read.';
		if (readOnly && isWrite) why = ONLY_READS;
		else if (!ai && AI_OPERATIONS.includes(operation)) why = NEEDS_AI;
		else if (!isOwnProposal) why = 'No proposal could be made for it.';
		else if (unreadable.length > 0) why += ` Not understood: ${unreadable.join(', ')}.`;
		probe.skip([operation], why);
	}
}
