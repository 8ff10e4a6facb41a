/** Checks the README as npm and n8n show it. Its workflow must match the nodes, and its lists must be complete. */
import { readdirSync, readFileSync } from 'node:fs';
import type { INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { createSlack } from '../../dev/testbed/otherSystems/slack.mts';
import { PortalIoPollingTrigger } from '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const [, block] = /```json\n([^]*?)```/.exec(readme)!;
const { nodes, connections } = JSON.parse(block!) as {
	nodes: INode[];
	connections: Record<string, { main: { node: string }[][] }>;
};
const [trigger, slack] = nodes as [INode, INode];

it("uses only existing parameters and choices of the polling trigger in the README's workflow", () => {
	const { name, version, properties } = new PortalIoPollingTrigger().description;
	expect(trigger.type).toBe(`n8n-nodes-portal-io.${name}`);
	expect([version].flat()).toContain(trigger.typeVersion);
	for (const [parameter, value] of Object.entries(trigger.parameters)) {
		const property = properties.find((one) => one.name === parameter);
		const choices = (property?.options ?? []) as INodePropertyOptions[];
		const chosen = [value].flat() as unknown[];
		const missing = chosen.filter((one) => !choices.some((choice) => choice.value === one));
		expect(missing, parameter).toEqual([]);
	}
});

it("configures Slack in the README's workflow as the examples do", () => {
	const folder = new URL('examples/', root);
	const examples = readdirSync(folder).filter((file) => file.endsWith('.json'));
	const posts = examples
		.flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).nodes as INode[])
		.filter(({ type }) => type === slack.type);
	expect(posts.map(({ typeVersion }) => typeVersion)).toContain(slack.typeVersion);
	expect(Object.keys(posts[0]!.parameters)).toEqual(
		expect.arrayContaining(Object.keys(slack.parameters)),
	);
	const used = [...String(slack.parameters.text).matchAll(/\$json\.(\w+)/g)].map(
		([, name]) => name,
	);
	expect(used).toHaveLength(4);
	const outputs = Object.keys(pollEvents[String(trigger.parameters.event)]!.shape);
	expect(outputs).toEqual(expect.arrayContaining(used));
	expect(connections[trigger.name]!.main).toEqual([
		[expect.objectContaining({ node: slack.name })],
	]);
});

it("uses a Slack channel from the demo in the README's workflow", () => {
	const service = createSlack();
	const { body } = service.respond({
		method: 'POST',
		path: '/api/chat.postMessage',
		query: new URLSearchParams(),
		headers: { authorization: `Bearer ${service.credential.data.accessToken}` },
		body: { channel: (slack.parameters.channelId as { value: string }).value, text: 'Accepted' },
	});
	expect(body).toMatchObject({ ok: true, channel: 'C0SALES0001' });
});

it('lists the events of each trigger', () => {
	const rows = [...readme.matchAll(/^\|([^|*]+)\|(yes|)\|(yes|)\|$/gm)];
	const listed = (column: number) =>
		rows.filter((row) => row[column] === 'yes').flatMap(([, events]) => events!.split(', '));
	const offered = (properties: INodeProperties[]) =>
		(properties[0]!.options as INodePropertyOptions[]).map(({ name }) => name);
	const { properties } = new PortalIoTrigger().description;
	expect(listed(2).toSorted()).toEqual(offered(properties).toSorted());
	const polling = new PortalIoPollingTrigger().description.properties;
	expect(listed(3).toSorted()).toEqual(offered(polling).toSorted());
});

it('offers every declared event in the polling trigger', () => {
	const [event] = new PortalIoPollingTrigger().description.properties;
	const values = (event!.options as INodePropertyOptions[]).map(({ value }) => String(value));
	expect(values.toSorted()).toEqual(Object.keys(pollEvents).toSorted());
});

it('has only absolute links', () => {
	const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
	expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
});
