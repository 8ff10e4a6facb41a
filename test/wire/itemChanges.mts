/** Changes of items whose requests are assumed, and what an error says where nothing is done. */
import { expect } from 'vitest';
import { seed, type FileService } from './account.mts';

export const proposalId = seed.proposals.staleTheater;

/** The first items of the proposal, their option, and one of a new area. */
export async function placesAt(service: FileService) {
	const [attic] = await service.run('area.create', { proposalId, name: 'Attic' });
	const [option] = service.control.proposal(proposalId).areas[0].options;
	service.control.clearRequests();
	return {
		option: option.id as number,
		target: attic!.areaOptionId as number,
		first: option.items[0],
		second: option.items[1],
	};
}
export type Places = Awaited<ReturnType<typeof placesAt>>;

/** The changes of the proposal that were sent. */
export const changesAt = ({ control }: FileService) =>
	control.requests.filter(({ method }) => method !== 'GET');

/** What an operation says of its failure. */
export async function failureOf(service: FileService, name: string, parameters: object) {
	const failure = await service.run(name, { proposalId, ...parameters }).then(
		(output) => expect.fail(`It ended with ${JSON.stringify(output)}`),
		(error: Error & { description: string }) => error,
	);
	return { message: failure.message, description: failure.description };
}

export const accepted = 'Portal.io accepted the request, but ';

/** By operation: parameters, and what the error says where nothing is done. */
export const itemChanges: Record<
	string,
	(places: Places) => [parameters: object, message: string]
> = {
	'item.add': ({ option, first }) => [
		// An item like this is there already.
		{
			areaOptionId: option,
			items: {
				item: [{ itemId: first.referencedItemId, itemType: 'Part', quantity: first.quantity }],
			},
		},
		'the item was not added',
	],
	'item.copy': ({ option, first }) => [
		{ itemIds: [first.id], areaOptionIds: [option] },
		`item ${first.id} was not copied`,
	],
	'item.delete': ({ first }) => [{ itemIds: [first.id] }, `item ${first.id} is still there`],
	'item.move': ({ option, target, first }) => [
		{ itemIds: [first.id], areaOptionId: target },
		`item ${first.id}: 'Area Option' is ${option}, not ${target}`,
	],
	'item.replace': ({ first }) => [
		{ itemId: first.id, catalogItemId: 9003 },
		`'Catalog Item' is ${first.referencedItemId}, not 9003`,
	],
};

/** A new value of each field of an item. */
export const values = {
	quantity: 3.5,
	sellPrice: 20.25,
	cost: 1.5,
	msrp: 30,
	isCombinedPrice: true,
	isTaxExempt: true,
	isRecurringService: true,
	shortDescription: 'Sounds warm',
	clientNote: 'Wall mount',
	imageUrl: 'https://example.com/amp.png',
};
/** What errors call them. */
export const labels: Record<string, string> = {
	quantity: 'Quantity',
	sellPrice: 'Sell Price',
	cost: 'Cost',
	msrp: 'MSRP',
	isCombinedPrice: 'Combined Price',
	isTaxExempt: 'Tax Exempt',
	isRecurringService: 'Recurring Service',
	shortDescription: 'Short Description',
	clientNote: 'Client Note',
	imageUrl: 'Image URL',
};
