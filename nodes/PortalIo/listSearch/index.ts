/** What the resource locators of the node list, by the name that their fields use. */
export { searchCatalog, searchCatalogOfRow } from './catalog';
export { searchContacts } from './contacts';
export { searchContactLocations, searchProposalLocations } from './locations';
export * from './proposalContents';
export { searchProposals } from './proposals';
export { searchSalespeople } from './salespeople';
export { searchSubscriptions } from './subscriptions';
