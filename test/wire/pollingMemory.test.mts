/** Tests the memory of copied, renamed, and republished polling triggers. */
import { beforeEach, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { watchLog } from './subscribing.mts';

const service = restoredService();
beforeEach(async () => await service.control.advance(60));

const { submitted, viewed } = seed.proposals;
const trigger = (credential = service.account) =>
	service.polling('proposalStatusChanged', {}, credential);
const active = async () => {
	const node = trigger();
	expect(await node.poll()).toBeNull();
	return node;
};
const saved = (node: ReturnType<typeof trigger>) =>
	JSON.parse(JSON.stringify(node.staticData())) as object;
/** Creates the node as n8n does for each publication, with the static data in its database. */
const published = (node: ReturnType<typeof trigger>, credential = service.account) => {
	const next = trigger(credential);
	next.node.id = node.node.id;
	Object.assign(next.staticData(), saved(node));
	return next;
};
const change = (id = submitted, status = 'ViewedByClient') => {
	service.control.setStatus(id, status);
	return [{ proposalId: id, status }];
};

it('records a baseline in a copy of a workflow', async () => {
	const original = await active();
	const copy = trigger();
	Object.assign(copy.staticData(), saved(original));
	change();
	const log = watchLog();
	expect(await copy.poll()).toBeNull();
	expect(log).toEqual([]);
	change(viewed, 'Declined');
	expect(await copy.poll()).toMatchObject([{ proposalId: viewed }]);
	const reported = (await original.poll())!.map(({ proposalId }) => proposalId);
	expect(reported.sort()).toEqual([submitted, viewed].sort());
});

it('uses the memory of a renamed node', async () => {
	const node = await active();
	const former = node.node.name;
	const first = change();
	node.node.name = 'Renamed';
	expect(await node.poll()).toMatchObject(first);
	const second = change(viewed, 'Declined');
	node.node.name = former;
	expect(await node.poll()).toMatchObject(second);
	expect(await node.poll()).toBeNull();
});

const wrong = 'email or password';

it('starts failing at the second poll after publishing if the credential is wrong', async () => {
	const node = await active();
	const expected = change();
	const credential = service.credential('dealer', { password: 'wrong' });
	const next = published(node, credential);
	expect(await next.poll()).toBeNull();
	for (let polls = 2; polls <= 3; polls++) await expect(next.poll()).rejects.toThrow(wrong);
	credential.data = { ...service.account.data };
	expect(await next.poll()).toMatchObject(expected);
});
