/** Builds a dealer's workflows in n8n's editor and imports the examples, with one n8n and one browser. */
import { combineFiles } from '../n8n/combineFiles.mts';

combineFiles({
	dealerWorkflows: () => import('../editor/dealerWorkflows.mts'),
	exampleImports: () => import('../editor/exampleImports.mts'),
});
