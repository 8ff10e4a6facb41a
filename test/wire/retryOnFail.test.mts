/** *Retry On Fail*, by which n8n runs the whole node again: what worked is not done again. */
import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { callsFor, operationNames, type Call } from './calls.mts';
import { executeWorkflow, type Run } from '../../dev/testbed/nodeRunner.mts';

const service = restoredService();
const retry: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const execute = async (name: string, parameters: Call['parameters'], more: Partial<Run> = {}) => {
	const [resource, operation] = name.split('.') as [string, string];
	return await executeWorkflow({
		credential: service.account,
		parameters: {
			resource,
			operation,
			requestOptions: { itemsInParallel: 1, requestAttempts: 1 },
			...parameters,
		},
		settings: retry,
		...more,
	});
};
const sent = () =>
	service.control.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ operationId }) => operationId);
const newest = () => service.control.proposals().at(-1)!;

/** The operations of which a second run would do something twice, or fail. */
const once = operationNames.filter((name) =>
	/\.(add|copy|create|delete|generate|start|upload)$/.test(name),
);

/** Inputs for an operation, of which one has a wrong value in a required field. */
function inputsFor(name: string, wrong?: number) {
	const { parameters, file } = callsFor(service.control)[name]!;
	// Other fields are shown by the type of party.
	const fields = Object.entries(parameters).filter(([field]) => field !== 'partyType');
	const [[field, value]] = fields as [[string, unknown]];
	const given = { [field]: `={{ $json.isWrong ? 'bad' : ${JSON.stringify(value)} }}` };
	const inputs = [0, 1].map((index) => ({
		json: { isWrong: index === wrong },
		...(file && { binary: { data: file } }),
	}));
	return { parameters: { ...parameters, ...given }, inputs };
}

it.each(once)('sends nothing of %s where an input is wrong, and nothing again', async (name) => {
	const { parameters, inputs } = inputsFor(name, 1);
	const { error } = await execute(name, parameters, { inputs });
	expect(sent()).toEqual([]);
	expect(error?.message).toMatch(/^Row 2: '.+' must be/);
});

it.each(
	once.flatMap((name) =>
		(['continueRegularOutput', 'continueErrorOutput'] as const).map(
			(onError) => [name, onError] as const,
		),
	),
)('does not send %s again for an input that worked, with %s', async (name, onError) => {
	// n8n repeats after the first item that failed.
	const { parameters, inputs } = inputsFor(name, 0);
	const settings = { ...retry, onError };
	const { outputs } = await execute(name, parameters, { inputs, settings });
	const items = outputs.flat();
	expect(sent()).toEqual([name]);
	const isErrorFirst = onError === 'continueRegularOutput';
	expect(items.map(({ json }) => 'error' in json)).toEqual([isErrorFirst, !isErrorFirst]);
	expect(items.find(({ json }) => json.error)?.json.error).toMatch(/must be/);
});

it.each(once)('does not send %s again for an input before the one that failed', async (name) => {
	const { parameters, inputs } = inputsFor(name);
	const gate = service.control.hold(name, 'after');
	const running = execute(name, parameters, { inputs });
	await gate.arrived(1);
	service.control.failNext({ operationId: name, status: 400, times: 3 });
	gate.release();
	expect((await running).error).toBeDefined();
	expect(sent()).toEqual(Array(4).fill(name));
});

it.each(['area.create', 'aiContent.upload', 'webhookSubscription.delete'])(
	'does not send %s again after its response was lost, and says so',
	async (name) => {
		const { parameters, file } = callsFor(service.control)[name]!;
		service.control.failNext({ operationId: name, when: 'after', disconnect: true });
		const inputs = [{ json: {}, ...(file && { binary: { data: file } }) }];
		// Of the other items of Execute Once, none is an input.
		const settings = { ...retry, executeOnce: true };
		const { error } = await execute(name, parameters, { inputs: [...inputs, ...inputs], settings });
		expect(error?.description).toMatch(
			/Portal\.io may have .*\nRetry On Fail did not send it again\.$/s,
		);
		expect(sent()).toEqual([name]);
	},
);

it('reads nothing again for an input that worked', async () => {
	const { staleTheater, viewed } = seed.proposals;
	const gone = { operationId: 'proposal.get', status: 403, times: 2 };
	const gate = service.control.hold('proposal.get');
	const running = execute(
		'proposal.get',
		{ proposalId: '={{ $json.id }}' },
		{ inputs: [staleTheater, viewed].map((id) => ({ json: { id } })) },
	);
	await gate.arrived(1);
	gate.release();
	service.control.failNext(gone);
	expect((await running).outputs[0]).toHaveLength(2);
	const paths = service.control.requests.map(({ path }) => path.split('/').at(-1));
	expect(paths).toEqual([staleTheater, viewed, viewed, viewed].map(String));
});

it('retries what failed for certain', async () => {
	service.control.failNext({ operationId: 'contact.create', status: 400, times: 2 });
	const { parameters } = callsFor(service.control)['contact.create']!;
	const { outputs, error } = await execute('contact.create', parameters);
	expect(error).toBeUndefined();
	expect(outputs[0]).toMatchObject([{ json: { firstName: 'Nora' } }]);
	expect(sent()).toEqual(Array(3).fill('contact.create'));
});

const newProposal = {
	salesPersonId: seed.users.salesJordan,
	additionalFields: { contactId: seed.contacts.company, locationId: seed.locations.companyThird },
};

it('completes a proposal that exists without its location', async () => {
	service.control.failNext({ operationId: 'proposal.assignLocation', status: 400 });
	const { outputs } = await execute('proposal.create', newProposal);
	expect(outputs[0]).toMatchObject([{ json: { proposalId: newest().id } }]);
	expect(service.control.proposal(Number(newest().id)).customer).toMatchObject({
		id: seed.contacts.company,
		location: { id: seed.locations.companyThird },
	});
	const { assignLocation, assignContact, create } = count(sent());
	expect({ assignLocation, assignContact, create }).toEqual({
		create: 1,
		assignContact: 1,
		assignLocation: 2,
	});
});

it('says in the error of the last try what earlier ones set', async () => {
	service.control.failNext({ operationId: 'proposal.assignLocation', status: 400, times: 3 });
	const { error } = await execute('proposal.create', newProposal);
	expect(error?.message).toBe(
		`The proposal was created with the ID ${newest().id}, but not completed: Portal.io did not accept the values of this request`,
	);
	expect(error?.description).toContain("Set: 'Contact'. Failed: 'Location'.");
});

it('continues an update with the field that failed', async () => {
	const { parameters } = callsFor(service.control)['item.update']!;
	service.control.failNext({ operationId: 'item.updateSellPrice', status: 400, times: 2 });
	const { outputs } = await execute('item.update', parameters);
	expect(outputs[0]).toMatchObject([{ json: { quantity: 17, sellPrice: 56.78, cost: 12.34 } }]);
	expect(count(sent())).toEqual({ updateQuantity: 1, updateSellPrice: 3, updateCost: 1 });
});

it('finds with Reuse Existing Contact the contact whose response was lost', async () => {
	service.control.failNext({ operationId: 'contact.create', when: 'after', disconnect: true });
	const { parameters } = callsFor(service.control)['contact.create']!;
	const { outputs } = await execute('contact.create', {
		...parameters,
		additionalFields: { contactEmail: 'nora@example.com' },
		options: { reuseExisting: true },
	});
	expect(outputs[0]).toMatchObject([{ json: { email: 'nora@example.com' } }]);
	expect(sent()).toEqual(['contact.create']);
});

it('sends requests anew in each run of a loop and in each execution', async () => {
	const { parameters } = callsFor(service.control)['contact.create']!;
	// The same objects, as n8n keeps pinned data.
	const inputs = [{ json: {} }];
	await execute('contact.create', parameters, { inputs, rounds: 2 });
	await execute('contact.create', parameters, { inputs });
	expect(sent()).toEqual(Array(3).fill('contact.create'));
});

const count = (operations: (string | undefined)[]) =>
	operations.reduce<Record<string, number>>((all, id) => {
		const name = id!.split('.')[1]!;
		return { ...all, [name]: (all[name] ?? 0) + 1 };
	}, {});
