/** Tests *Retry On Fail*, which makes n8n run the whole node again. */
import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { type Run } from '../../dev/testbed/nodeRunner.mts';
import { seed } from './account.mts';
import { calls, operationNames, preparedService, type Call } from './calls.mts';

const service = preparedService();
const { changes, fail, sent } = service;
const retry: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const execute = async (
	name: string,
	parameters: Call['parameters'] = calls[name]!.parameters,
	more: Partial<Run> = {},
) => {
	const requestOptions = { itemsInParallel: 1, requestAttempts: 1 };
	const given = { requestOptions, ...parameters };
	return await service.workflow(name, given, { settings: retry, ...more });
};
const newest = () => Number(service.control.proposals().at(-1)!.id);

it('changes only the items that the first try found by their models', async () => {
	const { staleWholeHome: proposalId } = seed.proposals;
	const itemWith = (model: string) =>
		service.control.items(proposalId).find((item) => item.model === model)!.id;
	const [first, second] = [itemWith('LX77'), itemWith('Beam 4')];
	// The first change turns the LX77 into another Beam 4, so two items match 'Beam 4'. After the second change, only
	// one does.
	const items = [
		{ model: 'LX77', to: 9004 },
		{ model: 'Beam 4', to: 9010 },
	];
	const parameters = {
		proposalId,
		itemId: { __rl: true, mode: 'model', value: '={{ $json.model }}' },
		catalogItemId: '={{ $json.to }}',
	};
	const gate = service.control.hold('item.replace');
	const running = execute('item.replace', parameters as never, { items });
	await gate.arrived(1);
	fail('item.replace', { status: 504, when: 'after' });
	gate.release();
	const { outputs, error } = await running;
	expect(error).toBeUndefined();
	expect(outputs[0]!.map(({ json }) => json.itemId)).toEqual([first, second]);
	const replaced = service.control
		.items(proposalId)
		.filter(({ id }) => [first, second].includes(id));
	expect(replaced.map((item) => item.referenced_item_id)).toEqual([9004, 9010]);
});

/** Operations whose second run would repeat a change or fail. */
const once = operationNames.filter((name) =>
	/\.(add|copy|create|delete|generate|start|upload)$/.test(name),
);

function inputsFor(name: string, wrong?: number) {
	const { parameters, file } = calls[name]!;
	// Skip the type of party, because it decides which other fields are shown.
	const fields = Object.entries(parameters).filter(([field]) => field !== 'partyType');
	const [[field, value]] = fields as [[string, unknown]];
	const given = { [field]: `={{ $json.isWrong ? 'bad' : ${JSON.stringify(value)} }}` };
	const inputs = [0, 1].map((index) => ({
		json: { isWrong: index === wrong },
		...(file && { binary: { data: file } }),
	}));
	return { parameters: { ...parameters, ...given }, inputs };
}

it.each(operationNames.filter((name) => calls[name]!.kind !== 'read'))(
	'sends no request for %s in any try if an input item is invalid',
	async (name) => {
		const { parameters, inputs } = inputsFor(name, 1);
		const { error } = await execute(name, parameters, { inputs });
		expect(sent()).toEqual([]);
		expect(error?.message).toMatch(/^Input item 1: '.+' must be/);
	},
);

it.each(once)('sends %s only once for an input item after a failed one', async (name) => {
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		service.control.restoreState();
		service.control.clearRequests();
		// Make the first input item fail, because n8n runs the node again only if the first one failed.
		const { parameters, inputs } = inputsFor(name, 0);
		const settings = { ...retry, onError };
		const { outputs } = await execute(name, parameters, { inputs, settings });
		expect(changes()).toEqual([name]);
		const errors = outputs.flat().map(({ json }) => json.error);
		const failed = expect.stringContaining('must be');
		const isErrorFirst = onError === 'continueRegularOutput';
		expect(errors).toEqual(isErrorFirst ? [failed, undefined] : [undefined, failed]);
	}
});

it.each(once)('sends %s only once for an input item before a failed one', async (name) => {
	const { parameters, inputs } = inputsFor(name);
	const gate = service.control.hold(name, 'after');
	const running = execute(name, parameters, { inputs });
	await gate.arrived(1);
	fail(name, { status: 400, times: 3 });
	gate.release();
	// In *Delete*, the second input item finds that its items are gone, and deletes nothing.
	const isGone = name === 'item.delete';
	const reason = isGone
		? /^Input item 1: Item .* is not in this proposal$/
		: /^Input item 1: .*not accept the values/;
	expect((await running).error!.message).toMatch(reason);
	const failedTries = isGone ? 0 : 3;
	expect(changes()).toEqual(Array(1 + failedTries).fill(name));
});

it.each(['area.create', 'aiContent.upload', 'webhookSubscription.delete'])(
	'sends %s only once if its response was lost',
	async (name) => {
		const { parameters, file } = calls[name]!;
		fail(name, { when: 'after', disconnect: true });
		const input = { json: {}, ...(file && { binary: { data: file } }) };
		// Turn on *Execute Once*, with which only the first of the two items is an input item.
		const settings = { ...retry, executeOnce: true };
		const { error } = await execute(name, parameters, { inputs: [input, input], settings });
		expect(error?.description).toMatch(
			/Portal\.io might have .*\n'Retry On Fail' did not run this input item again, .*\.$/s,
		);
		expect(changes()).toEqual([name]);
	},
);

it('reads only once for a finished input item', async () => {
	const { staleTheater, viewed } = seed.proposals;
	const gate = service.control.hold('proposal.get');
	const inputs = [staleTheater, viewed].map((id) => ({ json: { id } }));
	const running = execute('proposal.get', { proposalId: '={{ $json.id }}' }, { inputs });
	await gate.arrived(1);
	gate.release();
	fail('proposal.get', { status: 403, times: 2 });
	expect((await running).outputs[0]).toHaveLength(2);
	const paths = service.control.requests.map(({ path }) => path.split('/').at(-1));
	expect(paths).toEqual([staleTheater, viewed, viewed, viewed].map(String));
});

const newProposal = {
	salesPersonId: seed.users.salesJordan,
	additionalFields: { contactId: seed.contacts.company, locationId: seed.locations.companyThird },
};
const [create, contact, location] = ['create', 'assignContact', 'assignLocation'].map(
	(operation) => `proposal.${operation}`,
) as [string, string, string];

it('creates only one proposal if an assignment fails', async () => {
	fail(location, { status: 400 });
	const { error } = await execute(create, newProposal);
	expect(error?.message).toBe(
		`The proposal was created (ID ${newest()}), but is incomplete: Portal.io did not accept the values in this request`,
	);
	expect(error?.description).toContain("Set: 'Contact'. Failed: 'Location'.");
	expect(changes()).toEqual([create, contact, location]);
});

it('sets every value of an update again after one failed', async () => {
	fail('item.updateSellPrice', { status: 400 });
	const { outputs } = await execute('item.update');
	expect(outputs[0]).toMatchObject([{ json: { quantity: 17, sellPrice: 56.78, cost: 12.34 } }]);
	const fields = ['Quantity', 'SellPrice', 'Quantity', 'SellPrice', 'Cost'];
	expect(changes()).toEqual(fields.map((field) => `item.update${field}`));
});

it('mentions the records beyond Limit even after another try', async () => {
	const items = [{ id: seed.proposals.staleWholeHome }, { id: 999_999 }];
	const { hints } = await execute(
		'area.getMany',
		{ proposalId: '={{ $json.id }}', returnAll: false, limit: 1 },
		{ items: items.toReversed(), settings: { ...retry, onError: 'continueRegularOutput' } },
	);
	expect(hints).toContainEqual(expect.stringMatching(/^1 of 5 items\./));
	// n8n runs the node again because the first input item failed, but the list for the other one is not read again.
	expect(service.requestsOf('proposal.get').filter(({ status }) => status === 200)).toHaveLength(1);
});

it('sends requests again in each run of a loop and in each execution', async () => {
	// Pass the same objects, as n8n does with pinned data.
	const inputs = [{ json: {} }];
	await execute('contact.create', undefined, { inputs, rounds: 2 });
	await execute('contact.create', undefined, { inputs });
	expect(changes()).toEqual(Array(3).fill('contact.create'));
});
