/** Notes on the pages of operations, by operation. */
export const notes: Record<string, string[]> = {
	'item.add': [
		'Values in a parts list:',
		'',
		'- **Rows.** One input for each row, or all rows in *Items (JSON)*. The names of JSON fields may have spaces, capitals and a byte order mark: `Item Type` is `itemType`.',
		'- **Model**: as in the catalog, with or without the brand, such as `Corvane: CV-6C`. Case, spaces, hyphens, ® and look-alike characters do not matter, unless two models differ only in them.',
		'- **Area**: *Area Option*, *By Name* accepts `Living Room` in any case and spacing. If the area has several options, add the number: `Living Room / 2`, with spaces around the slash. With *Create Missing Area*, the text is only the name: `Apt 2/3`.',
		'- *Create Missing Area* creates an area for the first row that names it. A row that fails for another reason creates none.',
		'- **Quantity**: `2`, `1.5` or `1,200.00`. Not `2 ea`, `1,5` or `1,200`, which may mean 1.2. Prices elsewhere may have a dollar sign: `$1,299.00`.',
		'- **Type**: `Part` by default; `Labor`, `CustomItem` or `Fee`. A fee has no model.',
		'- **Empty cells** of *Parent Item* are left out. An empty model, ID or quantity is an error.',
		'- **Several wrong rows** of a list are named together, and nothing is added. With one input for each row and *On Error*: *Continue*, the others are added.',
		'',
	],
};
