/** The contract of the simulated service and the node have the same operations. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { stepsOf } from '../../nodes/PortalIo/shared/operation.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
interface ContractOperation {
	operationId: string;
	'x-mark': string;
	'x-body'?: string;
	requestBody?: object;
	'x-alternate'?: boolean;
}
const contract: { paths: Record<string, Record<string, ContractOperation>> } = parse(
	read('../../simulator/openapi.yaml'),
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
		expect(unknown, 'add to simulator/openapi.yaml, or REQUESTS or READ_BY_ANOTHER here').toEqual(
			[],
		);
		const unsent = ofBoth.filter((id) => !sent.includes(id));
		expect(unsent, 'add to nodes/PortalIo/resources/, or REQUESTS here').toEqual([]);
		expect(sent).toHaveLength(ofBoth.length);
	});

	it('say how sure each operation is in the contract alone', () => {
		for (const { operationId, ...one } of operations) {
			expect(['spec', 'docs', 'assumed', 'confirmed'], operationId).toContain(one['x-mark']);
			if (one['x-mark'] === 'assumed') expect(hasUndocumentedFields(one), operationId).toBe(true);
		}
		for (const declared of Object.values(registry).flatMap((one) =>
			Object.values(one.operations),
		)) {
			expect(declared).not.toHaveProperty('mark');
		}
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

	it('have an alternate where the other has one', () => {
		const withAlternate = operations
			.filter(({ operationId }) => operationId.endsWith('.alternate'))
			.map(({ operationId }) => operationId.replace('.alternate', ''));
		expect(withAlternate.length).toBeGreaterThan(5);
		const ids = { proposalId: 1, areaId: 1, optionId: 1, contentId: 1 };
		const updateFields = { clientDescription: '', installerNotes: '' };
		for (const id of withAlternate) {
			const name = ofNode.find((one) => requestsOf(one).includes(id))!;
			const [resource, operation] = name.split('.') as [string, string];
			const declared = registry[resource]!.operations[operation]!;
			const values = declared.read({ ...ids, updateFields }, { timezone: 'UTC' });
			for (const { request } of stepsOf(declared, values)) {
				expect(request.alternate, name).toBeDefined();
			}
		}
	});
});
