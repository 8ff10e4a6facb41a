export { searchContacts } from './contacts';
export { searchProposals } from './proposals';
export { searchProposalLocations } from './proposalLocations';
export { searchSalespeople } from './salespeople';
