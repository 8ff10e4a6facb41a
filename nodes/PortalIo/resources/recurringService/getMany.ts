import { listOrNone } from '../../../../client/data';
import { proposalRequest, takeProposal, type RecurringService } from '../../../../client/model';
import { paging } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many recurring services in proposal',
	description:
		'Retrieve a list of the recurring services of a proposal, with quantity and price, for recurring invoices',
	fields: { proposalId, ...paging },
	request: ({ proposalId }) => proposalRequest(proposalId),
	output: {
		schema: {
			name: 'string',
			quantity: 'number',
			sellPrice: 'number',
			totalSell: 'number',
			proposalId: 'integer',
		},
		records: (response) => {
			const { id, recurringServices = null } = takeProposal(response);
			const services = listOrNone<RecurringService>(recurringServices, 'items');
			// Portal.io has the price first.
			return services.map(({ name, quantity, ...rest }) => ({
				name,
				quantity,
				...rest,
				proposalId: id,
			}));
		},
	},
});
