import { probeOf } from './probing.mts';
import { startSmallService, type Rules, type SmallService } from './smallService.mts';
import type { Probe, ProbeOptions } from '../../probe/probe.mts';
import type { Trial } from '../../probe/trial.mts';

export const ids = { ProposalId: 4711, ProposalItemId: 815 };
const ITEM = '/public/proposals/:proposal/items/:item';

/** The service that is asked. */
export let service: SmallService;

/** Starts a service and a probe of it. */
export async function start(rules: Rules, options?: ProbeOptions): Promise<Probe> {
	service = await startSmallService(rules);
	const probe = probeOf(service.url, options);
	await probe.service.logIn();
	await probe.service.learnMissingRoute();
	return probe;
}

/** Ends the service. */
export const stop = async () => await service.stop();

/** A trial whose effect is that the service has understood exactly what was sent. */
export const trialOf = (operation: string, values: Trial['values']): Trial => ({
	operation,
	ids,
	values: (attempt) => {
		service.effect = {};
		return values!(attempt);
	},
	hasEffect: async (sent) => {
		const seen = Object.keys(sent).map((name) => [name, service.effect[name]]);
		return JSON.stringify(Object.fromEntries(seen)) === JSON.stringify(sent);
	},
});

export const quantity = () =>
	trialOf('item.updateQuantity', (attempt) => ({ Quantity: attempt + 2.5 }));
export const move = () =>
	trialOf('item.move', (attempt) => ({
		ProposalItemIds: [attempt, 77],
		AreaOptionId: attempt + 9,
	}));
export const copy = () =>
	trialOf('item.copy', (attempt) => ({
		ProposalItemIds: [attempt, 7],
		AreaOptionIds: [attempt, 8],
	}));
export const add = () =>
	trialOf('item.add', (attempt) => ({
		AreaOptionId: attempt + 100,
		Items: [{ itemId: attempt, itemType: 'Part', quantity: attempt + 0.5 }],
	}));

export const QUANTITY = { path: `${ITEM}/qty`, names: { Quantity: 'Quantity' } };
export const MOVE = {
	path: '/public/proposals/:proposal/items/move',
	names: { ProposalItemIds: 'ProposalItemIds', AreaOptionId: 'AreaOptionId' },
	listFields: ['ProposalItemIds'],
};
export const COPY = {
	path: '/public/proposals/:proposal/items/copy',
	names: { ProposalItemIds: 'ProposalItemIds', AreaOptionIds: 'AreaOptionIds' },
	listFields: ['ProposalItemIds', 'AreaOptionIds'],
};
export const INNER = {
	'Items[].itemId': 'itemId',
	'Items[].itemType': 'itemType',
	'Items[].quantity': 'quantity',
};
export const ADD = {
	path: '/public/proposals/:proposal/items',
	names: { AreaOptionId: 'AreaOptionId', Items: 'Items', ...INNER },
};
