/** The probe's questions: endpoints whose field names are not documented, with candidate names. */

/** One thing that a request has to say. */
export interface Question {
	/** The names that this package sends; none for a filter that it does not use. */
	sent: string[];
	/** Other names that the service may use. */
	candidates: string[];
	/** A text accepts any value, so only the metadata of the service can show its name. */
	isText?: boolean;
}

const number = (sent: string[], ...candidates: string[]): Question => ({
	sent,
	candidates: [...candidates, 'Value', 'Amount', 'Number'],
});
const money = (sent: string[], ...candidates: string[]) => number(sent, ...candidates, 'Price');
const flag = (sent: string[], ...candidates: string[]): Question => ({
	sent,
	candidates: [...candidates, 'Value', 'Enabled', 'IsEnabled'],
});
const text = (...sent: string[]): Question => ({ sent, candidates: [], isText: true });
const filter = (...candidates: string[]): Question => ({ sent: [], candidates });

const ITEM_IDS: Question = {
	sent: ['ProposalItemIds', 'ItemIds'],
	candidates: ['Ids', 'LineItemIds', 'ProposalItems', 'LineItems', 'Items', 'ProposalItemId'],
};
const optionNames = (suffix: string) =>
	['OptionId', 'TargetAreaOptionId', 'TargetOptionId', 'DestinationOptionId', 'NewAreaOptionId']
		.map((name) => name + suffix)
		.concat(`ToAreaOptionId${suffix}`, `ProposalAreaOptionId${suffix}`);

/** The questions about each endpoint, by its ID in dev/simulator/contract.yaml. */
export const questions: Record<string, Record<string, Question>> = {
	'item.add': {
		option: { sent: ['AreaOptionId'], candidates: optionNames('') },
		items: {
			sent: ['Items'],
			candidates: ['ProposalItems', 'LineItems', 'CatalogItems', 'NewItems', 'ItemsToAdd'],
		},
	},
	'item.delete': { items: ITEM_IDS },
	'item.refreshCosts': { items: ITEM_IDS },
	'item.move': {
		items: ITEM_IDS,
		option: { sent: ['AreaOptionId'], candidates: optionNames('') },
	},
	'item.copy': {
		items: ITEM_IDS,
		options: {
			sent: ['AreaOptionIds'],
			candidates: [...optionNames('s'), 'AreaOptionId', ...optionNames('')],
		},
	},
	'item.replace': {
		item: {
			sent: ['ItemId', 'ReferencedItemId'],
			candidates: ['CatalogItemId', 'NewItemId', 'NewCatalogItemId', 'ReplacementItemId'],
		},
	},
	'item.updateQuantity': {
		quantity: number(['Quantity', 'Qty'], 'LineQuantity', 'Units', 'Count'),
	},
	'item.updateSellPrice': {
		price: money(['SellPrice'], 'UnitPrice', 'SalesPrice', 'SellingPrice'),
	},
	'item.updateCost': { cost: money(['Cost'], 'UnitCost', 'BuyPrice', 'PurchasePrice') },
	'item.updateMsrp': { msrp: money(['Msrp'], 'ListPrice', 'RetailPrice', 'UnitMsrp') },
	'item.updateCombinedPrice': {
		flag: flag(['IsCombinedPrice', 'CombinePrice'], 'CombinedPrice', 'IsCombined', 'Combine'),
	},
	'item.updateTaxExempt': {
		flag: flag(['IsTaxExempt', 'TaxExempt'], 'IsExempt', 'NoTax', 'Exempt', 'IsTaxable'),
	},
	'item.updateRecurringService': {
		flag: flag(
			['IsRecurringService', 'RecurringService'],
			...['IsRecurring', 'Recurring', 'IsService', 'IsSubscription'],
		),
	},
	'item.updateShortDescription': { text: text('ShortDescription') },
	'item.updateClientNote': { text: text('ClientNote', 'Note') },
	'item.updateImage': { text: text('ImageUrl', 'Image') },
	'proposal.getMany': {
		salesperson: filter(
			...['SalesPersonId', 'SalesPersonIds', 'SalesPersonUserId', 'SalesUserId', 'UserId'],
			...['UserIds', 'OwnerId', 'AssignedUserId', 'AssignedToId', 'SalesRepId'],
		),
	},
	'catalog.search': {
		authorized: filter(
			...['IsAuthorized', 'IsAuthorizedToSell', 'AuthorizedToSell', 'OnlyAuthorized'],
			...['IsAuthorizedOnly', 'AuthorizedOnly', 'IsDealerAuthorized'],
		),
		discontinued: filter(
			...['IncludeDiscontinued', 'IsIncludeDiscontinued', 'IsDiscontinued', 'ShowDiscontinued'],
			...['WithDiscontinued', 'IncludeDiscontinuedItems'],
		),
		industrialFavorite: filter(
			...['IsIndustrialFavorite', 'IndustrialFavorite', 'IsIndustryFavorite', 'IndustryFavorite'],
		),
		lowestPrice: filter(
			...['MinPrice', 'PriceMin', 'PriceFrom', 'FromPrice', 'MinimumPrice', 'LowestPrice'],
			...['MinMsrp', 'MsrpMin', 'MsrpFrom', 'MinCost'],
		),
		highestPrice: filter(
			...['MaxPrice', 'PriceMax', 'PriceTo', 'ToPrice', 'MaximumPrice', 'HighestPrice'],
			...['MaxMsrp', 'MsrpMax', 'MsrpTo', 'MaxCost'],
		),
		industry: filter('IndustryIds', 'IndustryId', 'IndustryTagIds', 'IndustrialTagIds'),
	},
};
