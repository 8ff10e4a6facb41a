/** Services to practice on, for a program that finds out how a service differs. */

/** How a service differs from the contract. Names that it does not know, it ignores. */
export interface PracticeService {
	/** Its names of fields by operation and the contract's name; of list entries as `Items[].itemId`. */
	names?: Record<string, Record<string, string>>;
	/** Reads bodies in JSON alone; the fields of a form are all missing then. */
	isJsonOnly?: boolean;
	/** Reads several values only as one text with commas; else only repeated fields. */
	hasCommas?: boolean;
	/**
	 * Its response when fields are missing or wrong: a 400 that names all of them or the first, or a
	 * success that changed nothing.
	 */
	errors?: 'named' | 'first' | 'none';
	/** What an entry of a list has where nothing is sent under the name of the service. */
	defaults?: Record<string, string>;
	/** Describes itself at this path. */
	description?: string;
}

const itemIds = { ProposalItemIds: 'ItemIds' };

export const practiceServices = {
	otherNames: {
		errors: 'named',
		names: {
			'proposal.create': { SalesPersonId: 'SellerId' },
			'area.create': { Name: 'AreaName' },
			'contact.create': { PartyType: 'Kind', ContactType: 'Role', FirstName: 'GivenName' },
			'location.create': { Street: 'AddressLine' },
			'webhookSubscription.create': { Url: 'EndpointUrl', Events: 'EventTypes' },
			'item.add': { AreaOptionId: 'Slot', Items: 'Lines', 'Items[].itemId': 'productId' },
			'item.delete': { ProposalItemIds: 'Lines' },
			'item.refreshCosts': itemIds,
			'item.move': { ProposalItemIds: 'Lines', AreaOptionId: 'DestinationOptionId' },
			'item.copy': { ProposalItemIds: 'Lines', AreaOptionIds: 'DestinationOptionIds' },
			'item.replace': { ItemId: 'ProductId' },
			'item.updateQuantity': { Quantity: 'Units' },
			'item.updateSellPrice': { SellPrice: 'SalesPrice' },
			'item.updateCost': { Cost: 'PurchasePrice' },
			'item.updateMsrp': { Msrp: 'ListPrice' },
			'item.updateShortDescription': { ShortDescription: 'Summary' },
			'item.updateClientNote': { ClientNote: 'Remark' },
			'item.updateImage': { ImageUrl: 'Picture' },
			'item.updateTaxExempt': { IsTaxExempt: 'WithoutTax' },
			'item.updateRecurringService': { IsRecurringService: 'Subscription' },
			'item.updateCombinedPrice': { IsCombinedPrice: 'Merged' },
		},
	},
	oneByOne: {
		errors: 'first',
		defaults: { itemType: 'Part' },
		names: {
			'item.add': {
				AreaOptionId: 'TargetOptionId',
				Items: 'LineItems',
				'Items[].itemId': 'CatalogItemId',
				'Items[].itemType': 'type',
				'Items[].quantity': 'qty',
			},
			'item.delete': { ProposalItemIds: 'LineItemIds' },
			'item.move': { ProposalItemIds: 'LineItemIds', AreaOptionId: 'TargetOptionId' },
			'item.copy': { ProposalItemIds: 'LineItemIds', AreaOptionIds: 'TargetOptionIds' },
			'item.replace': { ItemId: 'NewCatalogItemId' },
			'item.updateQuantity': { Quantity: 'LineQuantity' },
			'item.updateSellPrice': { SellPrice: 'UnitPrice' },
			'item.updateCost': { Cost: 'BuyPrice' },
			'item.updateMsrp': { Msrp: 'RetailPrice' },
			'item.updateShortDescription': { ShortDescription: 'Caption' },
			'item.updateClientNote': { ClientNote: 'NoteText' },
			'item.updateImage': { ImageUrl: 'Photo' },
			'item.updateTaxExempt': { IsTaxExempt: 'NoTax' },
			'item.updateRecurringService': { IsRecurringService: 'IsService' },
			'item.updateCombinedPrice': { IsCombinedPrice: 'Combine' },
		},
	},
	jsonOnly: { isJsonOnly: true, errors: 'named' },
	nearNames: {
		errors: 'none',
		hasCommas: true,
		names: {
			'item.add': { AreaOptionId: 'OptionId', 'Items[].itemId': 'catalogItemId' },
			'item.updateQuantity': { Quantity: 'Qty' },
			'item.updateSellPrice': { SellPrice: 'Price' },
			'item.updateTaxExempt': { IsTaxExempt: 'TaxExempt' },
			'item.delete': itemIds,
			'item.move': { ...itemIds, AreaOptionId: 'TargetAreaOptionId' },
			'item.replace': { ItemId: 'CatalogItemId' },
		},
	},
	described: {
		errors: 'none',
		description: '/types/typescript',
		names: {
			'proposal.updateDescription': { Description: 'Overview' },
			'item.updateQuantity': { Quantity: 'UnitsWanted' },
			'item.updateMsrp': { Msrp: 'PriceOfMaker' },
			'item.move': { AreaOptionId: 'Destination' },
		},
	},
} as const satisfies Record<string, PracticeService>;
