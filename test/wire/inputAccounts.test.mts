/** Tests credentials whose expressions choose an account for each input item. */
import { expect, it } from 'vitest';
import { executeWorkflow, listChoices, triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { by, restoredService, runner, seed } from './account.mts';

const service = restoredService();

const { dealer, otherDealer } = seed;
const mixed = () =>
	service.credential('dealer', {
		username: "={{ $json.isOdd ? $('Nowhere').item.json.user : $json.user }}",
		password: '={{ $json.password }}',
	});
const rows = Array.from({ length: 12 }, (_, index) => {
	const { username: user, password } = index % 2 ? otherDealer : dealer;
	return { user, password, name: `Row ${index}`, index };
});
const contact = { partyType: 'Person', contactType: 'Client', firstName: '={{ $json.name }}' };
const namesOf = async (name: 'dealer' | 'otherDealer') => {
	const list = runner(() => service.credential(name));
	const found = await list('contact.getMany', { returnAll: true });
	return found.map(({ firstName }) => firstName).filter((one) => String(one).startsWith('Row'));
};

it('sends each input item to the account that the credential selects', async () => {
	const credential = mixed();
	await runner(() => credential)('contact.create', contact, { items: rows });
	// Create two more contacts now that n8n has stored the key of one account.
	await runner(() => credential)('contact.create', contact, { items: rows.slice(0, 2) });
	const even = rows.filter(({ index }) => index % 2 === 0).map(({ name }) => name);
	const odd = rows.filter(({ index }) => index % 2 === 1).map(({ name }) => name);
	expect((await namesOf('dealer')).sort()).toEqual([...even, 'Row 0'].sort());
	expect((await namesOf('otherDealer')).sort()).toEqual([...odd, 'Row 1'].sort());
});

it('renews the key of each account only once', async () => {
	const credential = mixed();
	await runner(() => credential)('user.getMany', {}, { items: rows.slice(0, 2) });
	service.control.expireUserKeys();
	service.control.clearRequests();
	const users = await runner(() => credential)('user.getMany', {}, { items: rows });
	const emails = users.map(({ email }) => email);
	expect(emails.filter((one) => one === dealer.username)).toHaveLength(6);
	expect(emails.filter((one) => one === otherDealer.username)).toHaveLength(6);
	expect(service.control.loginCount()).toBe(2);
});

it('looks up records in the account of the input item', async () => {
	const list = runner(() => service.credential('otherDealer'));
	const [theirs] = await list('proposal.getMany', { limit: 1 });
	const proposalId = by('number', Number(theirs!.number));
	const inputs = { items: rows.slice(0, 2), continueOnFail: true };
	const output = await runner(mixed)('proposal.get', { proposalId }, inputs);
	expect(output[0]!.proposalId).not.toBe(theirs!.proposalId);
	expect(output[1]!.proposalId).toBe(theirs!.proposalId);
});

it('fails only input items with an invalid account', async () => {
	const odd = { ...rows[1]!, isOdd: true };
	const { outputs } = await executeWorkflow({
		credential: mixed(),
		operation: 'contact.create',
		parameters: contact,
		items: [
			{ name: 'Row 0' },
			rows[1]!,
			{
				...rows[1]!,
				password: 'another',
			},
			odd,
		],
		continueOnFail: true,
	});
	expect(outputs[0]!.map(({ json }) => json)).toMatchObject([
		{
			error: expect.stringContaining("'Email'"),
			message: expect.stringContaining('check that its expression returns a value'),
		},
		{ firstName: 'Row 1' },
		{ error: expect.stringContaining('email or password') },
		{ error: 'An expression in the credential failed', message: "Referenced node doesn't exist" },
	]);
});

it('rejects an expression for the account in triggers and lists', async () => {
	const run = { credential: mixed(), parameters: { events: ['proposalStatusChanged'] } };
	for (const start of [
		async () => await triggerNode(run).checkExists(),
		async () => await service.polling('paymentStatusChanged', {}, mixed()).poll(),
		async () => await listChoices({ credential: mixed() }, 'searchContacts'),
	]) {
		await expect(start()).rejects.toThrow('triggers and dropdown lists have no input');
	}
});
