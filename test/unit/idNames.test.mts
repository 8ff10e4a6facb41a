/** Checks that an ID has the same name in every output and in the fields that accept it. */
import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { PortalIo } from '../../nodes/PortalIo/PortalIo.node.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { outputShape } from '../../nodes/PortalIoTrigger/eventParameters.ts';

/** Returns the names of the fields that accept one ID or several, including those in collections and rows. */
const idFieldsIn = (properties: INodeProperties[]): string[] =>
	properties.flatMap(({ name, type, options = [] }) => {
		if (type === 'resourceLocator') return [name];
		if (type === 'multiOptions') return [name.replace(/Ids$/, 'Id')];
		return options.flatMap((option) => {
			if ('values' in option) return idFieldsIn(option.values);
			return 'type' in option ? idFieldsIn([option]) : [];
		});
	});

const acceptedIds = idFieldsIn(new PortalIo().description.properties);

/**
 * IDs that no field accepts. Portal.io's API never accepts payment IDs, and accepts user IDs only as salesperson IDs.
 */
const ONLY_OUTPUT = ['paymentId', 'userId'];

const outputs: Array<[name: string, fields: string[]]> = [
	...Object.entries(registry).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { output }]): typeof outputs => {
			if ('confirms' in output) return [];
			const shape = 'asIs' in output ? output.asIs : output.flat;
			return [[`${resource}.${operation}`, Object.keys(shape)]];
		}),
	),
	...Object.entries(pollEvents).map(([event, { shape }]): [string, string[]] => [
		event,
		Object.keys(shape),
	]),
	['webhook trigger', Object.keys(outputShape)],
];

it.each(outputs)('outputs each ID under the name of the field that accepts it: %s', (_, fields) => {
	const ids = fields.filter((name) => /(?:^id|Id)$/.test(name));
	const names = [...acceptedIds, ...ONLY_OUTPUT];
	expect(ids.filter((name) => !names.includes(name))).toEqual([]);
});
