/** What the multi-selects of the node list, by the name that their fields use. */
export { getCategories, getParentCategories } from './categories';
export { getAreaOptions, getItems } from './areasAndItems';
