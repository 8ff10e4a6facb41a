/** What the resource locators of the node list, by the name that their fields use. */
export * from './accountRecords';
export * from './proposalContents';
