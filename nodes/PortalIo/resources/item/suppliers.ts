import { path } from '../../../../client/http/path';
import { itemId, locator, proposalId } from '../../shared/fields';
import { listOf } from '../../shared/answers';
import type { Operation, Parameters } from '../../shared/operation';
import { idOf } from '../../shared/values';

const itemPath = (parameters: Parameters) =>
	path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/items/${idOf(parameters.itemId, 'Item')}`;

/** Specification, *Further operations*; the answer is not shown there. */
export const getSuppliers: Operation = {
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description:
		'List who supplies an item of a proposal, with what it costs there. Changes nothing.',
	mark: 'spec',
	fields: [proposalId, itemId],
	request: (parameters) => ({ method: 'GET', path: `${itemPath(parameters)}/suppliers` }),
	output: (answer) => listOf(answer, 'suppliers'),
};

/** Specification, *Further operations*. */
export const setSupplier: Operation = {
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description:
		'Choose who supplies an item of a proposal, which sets its cost to that of the supplier',
	mark: 'spec',
	fields: [
		proposalId,
		itemId,
		locator({
			displayName: 'Supplier',
			name: 'supplierId',
			description: 'One of the suppliers of the item',
			listMethod: 'searchSuppliers',
			searchable: true,
			dependsOn: ['proposalId.value', 'itemId.value'],
		}),
	],
	request: (parameters) => ({
		method: 'POST',
		isRepeatable: true,
		path: `${itemPath(parameters)}/supplier/${idOf(parameters.supplierId, 'Supplier')}`,
		form: {},
	}),
};
