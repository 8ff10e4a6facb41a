import { optionalList } from '../../../client/responseShape';
import { readProposal } from '../../../client/proposal';
import { paging } from '../fields/listFields';
import { proposalId } from '../fields/locators';
import { defineOperation, type Resource } from '../operation/operation';

/** See docs/dev/portal-api.md#the-proposal. */
const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many recurring services in proposal',
	description: "Retrieve a list of a proposal's recurring services",
	kind: 'read',
	fields: { proposalId, ...paging },
	run: async (call) => {
		const { id, recurringServices = null } = await readProposal(call, call.values.proposalId);
		const services = optionalList(recurringServices, 'items');
		// Move the name and quantity ahead of the price, which Portal.io returns first.
		return services.map(({ name, quantity, ...rest }) => ({
			name,
			quantity,
			...rest,
			proposalId: id,
		}));
	},
	output: {
		asIs: {
			name: 'string',
			quantity: 'number',
			sellPrice: 'number',
			totalSell: 'number',
			proposalId: 'integer',
		},
	},
});

export const recurringService: Resource = {
	name: 'Recurring Service',
	description: 'A recurring service in a proposal',
	operations: { getMany },
};
