/** The contract of the simulated service and the node have the same operations. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../../nodes/PortalIo/resources/index.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
interface ContractOperation {
	operationId: string;
	'x-body'?: string;
	requestBody?: object;
}
const contract: { paths: Record<string, Record<string, ContractOperation>> } = parse(
	read('../../dev/simulator/openapi.yaml'),
);
const operations = Object.values(contract.paths).flatMap((path) =>
	Object.entries(path)
		.filter(([method]) => ['get', 'post', 'delete', 'put', 'patch'].includes(method))
		.map(([, operation]) => operation),
);
const hasUndocumentedFields = ({
	requestBody,
	...one
}: Pick<ContractOperation, 'x-body' | 'requestBody'>) =>
	one['x-body'] === 'assumed' && JSON.stringify(requestBody).includes('"properties"');
/** Not operations of the node: the credential's exchange, and a second way to one of its own. */
const apart = /^authentication\.|\.alternate$|\.byOutline$/;
const ofContract = operations.map(({ operationId }) => operationId).filter((id) => !apart.test(id));
const ofNode = Object.entries(registry).flatMap(([resource, { operations: declared }]) =>
	Object.keys(declared).map((name) => `${resource}.${name}`),
);
/** What an operation sends that has requests of other names, one for each field or two. */
const REQUESTS: Record<string, string[]> = {
	'areaOption.update': ['areaOption.updateClientDescription', 'areaOption.updateInstallerNotes'],
	'item.update': [
		'item.updateQuantity',
		'item.updateSellPrice',
		'item.updateCost',
		'item.updateMsrp',
		'item.updateCombinedPrice',
		'item.updateTaxExempt',
		'item.updateRecurringService',
		'item.updateShortDescription',
		'item.updateClientNote',
		'item.updateImage',
	],
	'proposal.update': [
		'proposal.update',
		'proposal.updateDescription',
		'proposal.updateInternalNotes',
	],
};
const requestsOf = (name: string) => REQUESTS[name] ?? [name];
/** Reads a proposal, under a name of its own. */
const READ_BY_ANOTHER = ['item.getMany'];

describe('the contract and the node', () => {
	it('have the same operations', () => {
		const ofBoth = [...ofContract, ...READ_BY_ANOTHER];
		const sent = ofNode.flatMap(requestsOf);
		const unknown = sent.filter((id) => !ofBoth.includes(id));
		expect(
			unknown,
			'add to dev/simulator/openapi.yaml, or REQUESTS or READ_BY_ANOTHER here',
		).toEqual([]);
		const unsent = ofBoth.filter((id) => !sent.includes(id));
		expect(unsent, 'add to nodes/PortalIo/resources/, or REQUESTS here').toEqual([]);
		expect(sent).toHaveLength(ofBoth.length);
	});

	it('have a correction in the node for each body that is not documented, and for no other', () => {
		const undocumented = operations
			.filter(hasUndocumentedFields)
			.map(({ operationId }) => operationId);
		const corrected = Object.entries(registry).flatMap(([resource, { operations: declared }]) =>
			Object.entries(declared)
				.filter(([, { fields }]) =>
					fields.some(({ options }) => options?.some((one) => one.name === 'extraFields')),
				)
				.flatMap(([name]) => requestsOf(`${resource}.${name}`)),
		);
		expect(corrected.sort()).toEqual(undocumented.sort());
		expect(undocumented.length).toBeGreaterThan(10);
	});
});
