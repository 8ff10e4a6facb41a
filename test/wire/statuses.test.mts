/** Every status of docs/portal-api.md#errors, on one operation of each resource. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { runner, seed, startService } from './account.mts';

const proposalId = seed.proposals.staleTheatre;
const operations: Record<string, [operation: string, parameters: object, request?: string]> = {
	aiBuild: ['start', { proposalId }],
	aiContent: ['getMany', { proposalId }],
	aiOutline: ['generate', { proposalId }],
	area: ['create', { proposalId, name: 'Den' }],
	areaOption: ['create', { proposalId, areaId: 1 }],
	catalog: ['search', {}],
	changeOrder: ['getMany', { proposalId }],
	contact: ['getMany', {}],
	item: ['update', { proposalId, itemId: 1, updateFields: { cost: 0 } }, 'updateCost'],
	location: ['getMany', { contactId: seed.contacts.company }],
	proposal: ['update', { proposalId, updateFields: { name: 'New' } }],
	user: ['getMany', {}],
	webhookSubscription: ['getMany', {}],
};
/** What the user reads. */
const messages: [status: number, message: string][] = [
	[400, 'Portal.io did not accept the values of this request'],
	[401, 'Portal.io did not accept the credential'],
	[402, 'The Portal.io subscription of this dealer is inactive or expired'],
	[403, 'This Portal.io user does not have permission to do this'],
	[404, 'No record found with this ID'],
	[409, "The proposal's state prevents this change"],
];

it('every resource is here', () => {
	expect(Object.keys(operations).sort()).toEqual(Object.keys(registry).sort());
});

// All at once, each at a service of its own: a refused key is renewed after some waiting.
describe.each(Object.entries(operations))(
	'%s',
	{ concurrent: true },
	(resource, [operation, parameters, request]) => {
		it.for(messages)('%i: %s', async ([status, message], { onTestFinished }) => {
			const { simulator, control, credential } = await startService();
			onTestFinished(async () => await simulator.stop());
			const body = {
				errorCode: 'ACode',
				message: 'Words of the service',
				status,
				responseStatus: { errors: [{ fieldName: 'AField', message: 'is odd', errorCode: 'Odd' }] },
			};
			// A key that is refused is renewed four times; one request more would succeed.
			const times = status === 401 ? 5 : 1;
			const operationId = `${resource}.${request ?? operation}`;
			control.failNext({ operationId, status, times, body });
			const failure = runner(() => credential())(`${resource}.${operation}`, parameters);
			await expect(failure).rejects.toMatchObject({
				message,
				httpCode: String(status),
				context: { itemIndex: 0 },
				description: expect.stringMatching(/^Words of the service \(ACode\)\nAField: is odd/),
			});
		});
	},
);
