/** Names that a service may have for the fields of this package. */
import type { Endpoint } from './contract.mts';
import { lastPart } from './way.mts';

/**
 * What the fields of the contract may be called, the most likely first: names from the responses, of
 * similar services, and of Portal.io's own interface. Variants of a name are made from it.
 */
const TABLE: Record<string, string> = {
	AreaOptionId:
		'OptionId AreaId TargetAreaOptionId TargetOptionId ToOptionId DestinationOptionId ' +
		'ToAreaOptionId DestinationAreaOptionId TargetId DestinationId TargetAreaId',
	AreaOptionIds:
		'OptionIds AreaIds TargetAreaOptionIds TargetOptionIds ToOptionIds AreaOptions ' +
		'DestinationOptionIds ToAreaOptionIds DestinationAreaOptionIds TargetIds DestinationIds',
	ProposalItemIds:
		'ItemIds Ids ProposalItems SelectedItemIds SourceItemIds PartIds Items LineItemIds SelectedIds',
	ItemId:
		'CatalogItemId ReferencedItemId NewItemId PartId ProductId Id ReplacementItemId CatalogId ' +
		'NewCatalogItemId ReplacementId ReplaceWithItemId SubstituteItemId',
	Items:
		'ProposalItems Parts CatalogItems NewItems LineItems ItemsToAdd Products AreaItems Entries Lines',
	itemId: 'catalogItemId referencedItemId id partId productId libraryItemId catalogId',
	itemType: 'type kind catalogItemType referencedItemType partType',
	quantity: 'qty count amount units',
	parentId: 'parentItemId parentProposalItemId proposalItemId parent',
	Quantity: 'Qty Count Amount Units',
	SellPrice:
		'Price UnitPrice SellingPrice SalePrice Sell UnitSellPrice ClientPrice Amount CustomPrice',
	Cost: 'UnitCost CostPrice DealerCost Price Amount CustomCost PurchasePrice',
	Msrp: 'RetailPrice ListPrice Retail MsrpPrice MsrpUsd Price Amount CustomMsrp UnitMsrp',
	IsCombinedPrice: 'CombinePrice CombinedPrice IsCombined Combined Combine ShowCombinedPrice',
	ShortDescription: 'Description ShortDesc Text Summary',
	ClientNote: 'Note Notes ClientNotes NoteToClient Comment Text',
	ImageUrl: 'Image Url PictureUrl PhotoUrl PrimaryImageUrl ImageUri ImageLink Picture',
	IsTaxExempt: 'TaxExempt Exempt IsExempt TaxFree',
	IsRecurringService: 'RecurringService IsRecurring Recurring',
	Name: 'Title Label DisplayName',
	SalesPersonId: 'SalespersonUserId SalesRepId UserId OwnerId',
	Description: 'ProjectDescription ProposalDescription Text Notes Label',
	InternalNotes: 'InternalNote Notes Note InstallerNotes InstallerDescription Text',
	ClientDescription: 'Description OptionDescription ClientNotes ClientNote Notes Text',
	InstallerNotes: 'InternalNotes InstallerDescription InstallerNote Notes Note Text',
	PartyType: 'ContactType Type PersonType',
	ContactType: 'Type PartyType Role Category',
	FirstName: 'GivenName First ContactFirstName',
	LastName: 'FamilyName Surname Last ContactLastName',
	CompanyName: 'Company Organization OrganizationName BusinessName',
	ContactEmail: 'Email EmailAddress',
	ContactEmailCC: 'EmailCC CCEmail CC',
	ContactPhone: 'Phone PhoneNumber ContactPhoneNumber',
	Notes: 'Note Comment Comments',
	Street: 'Address Street1 AddressLine1 Address1',
	Suite: 'Street2 Address2 AddressLine2 Unit',
	City: 'Town',
	PostalCode: 'Zip ZipCode Postcode',
	State: 'StateAbbrev Province Region',
	Country: 'CountryCode',
	ContactPhoneNumber: 'ContactPhone Phone PhoneNumber',
	IsPrimary: 'Primary IsDefault',
	IsBilling: 'Billing IsBillingAddress',
	Url: 'TargetUrl CallbackUrl WebhookUrl EndpointUrl Endpoint Address Uri',
	Events: 'EventTypes EventNames Event Types Topics Triggers',
	Enabled: 'IsEnabled Active IsActive',
};

/** Words that mean the same in names of fields. */
const SYNONYMS = [
	['quantity', 'qty', 'count', 'amount', 'unit'],
	['msrp', 'retail', 'list'],
	['sell', 'selling', 'sale'],
	['note', 'comment', 'remark', 'text'],
	['description', 'desc', 'summary'],
	['image', 'picture', 'photo'],
	['url', 'uri', 'link', 'address'],
	['item', 'part', 'product', 'catalog', 'referenced'],
	['option', 'area', 'target', 'destination'],
	['combined', 'combine'],
	['recurring', 'recurrence'],
	['installer', 'internal'],
	['event', 'topic', 'trigger'],
	['name', 'title', 'label'],
	['enabled', 'active'],
	['type', 'kind'],
];

/** `ProposalItemIds` as `proposal item ids`, in lower case. */
export const wordsOf = (name: string): string[] =>
	name
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter((word) => word !== '');

const capital = (word: string) => word.replace(/^./, (first) => first.toUpperCase());
const joined = (words: string[]) => words.map(capital).join('');

/** One name without regard to case, more than once only the first time. */
function distinct(names: readonly string[]): string[] {
	const seen = new Map<string, string>();
	for (const name of names) {
		if (name !== '' && !seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
	}
	return [...seen.values()];
}

/** The last part of a path that is no parameter: `qty`. */
const lastSegment = (path: string) =>
	path
		.split('/')
		.filter((part) => part !== '' && !part.startsWith('{'))
		.at(-1) ?? '';

/** Variants by the rules that names of such services follow. */
function variantsOf(name: string): string[] {
	const words = wordsOf(name);
	const withoutIs = words[0] === 'is' ? words.slice(1) : words;
	const isList = words.at(-1)?.endsWith('s') ?? false;
	const other = isList ? name.replace(/s$/, '') : `${name}s`;
	return [
		joined(withoutIs),
		joined(words.slice(1)),
		joined(words.slice(2)),
		`New${joined(words)}`,
		`Item${joined(withoutIs)}`,
		`${joined(withoutIs)}Value`,
		other,
		isList ? `${joined(words)}List` : `Is${joined(withoutIs)}`,
	];
}

/**
 * What a field may be called, its own name first: in PascalCase, fields of list entries in
 * camelCase. No name that the path of the endpoint has already.
 */
export function likelyNames({ operation, path }: Endpoint, field: string): string[] {
	const own = lastPart(field);
	const isInner = own !== field;
	const record = capital(operation.split('.')[0]!);
	const ofPlace = isInner ? [] : [record + capital(own), capital(lastSegment(path)), 'Value'];
	const all = [own, ...(TABLE[own] ?? '').split(' '), ...variantsOf(own), ...ofPlace];
	const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!.toLowerCase());
	const spelled = isInner ? all.map((name) => name.replace(/^./, (one) => one.toLowerCase())) : all;
	return distinct(spelled).filter((name) => !inPath.includes(name.toLowerCase()));
}

const meaning = (word: string) => {
	const singular = word.replace(/s$/, '');
	return SYNONYMS.find((group) => group.includes(singular))?.[0] ?? singular;
};

/** How alike two names are, from 0 to 100: by their words, and by the table. */
export function similarity(endpoint: Endpoint, field: string, theirs: string): number {
	const own = lastPart(field);
	if (own.toLowerCase() === theirs.toLowerCase()) return 100;
	const place = likelyNames(endpoint, field).findIndex(
		(name) => name.toLowerCase() === theirs.toLowerCase(),
	);
	const ofTable = place < 0 ? 0 : 80 - place;
	const ours = new Set(wordsOf(own).map(meaning));
	const others = new Set(wordsOf(theirs).map(meaning));
	const shared = [...ours].filter((word) => others.has(word)).length;
	return Math.max(ofTable, Math.round((140 * shared) / (ours.size + others.size) / 2));
}
