/** What the documentation says of how sure an operation is, by the marks of the contract. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as requestOptions from '../nodes/PortalIo/requestOptions.ts';
import * as resources from '../nodes/PortalIo/resources/index.ts';
import * as operations from '../nodes/PortalIo/shared/operation.ts';
import * as outputs from '../nodes/PortalIo/shared/output.ts';
import { certaintyOf, certaintyOfAll, certaintySentence } from './certainty.mts';
import { endpoints } from './contract.mts';
import { declaredOperations } from './declared.mts';

const declared = declaredOperations({ ...resources, ...operations, ...outputs, ...requestOptions });
const operationOf = (name: string) =>
	declared.find(({ resource, operation }) => `${resource}.${operation}` === name)!;
const marks = endpoints.map(({ mark }) => mark);

// Whatever a report has confirmed since.
beforeEach(() => {
	for (const one of endpoints) one.mark = 'docs';
	mark('/items', 'assumed');
});
afterEach(() => endpoints.forEach((one, at) => (one.mark = marks[at]!)));

/** Marks the endpoints that send a body under a path that ends so, or all below it. */
function mark(path: string, as: (typeof marks)[number]) {
	for (const one of endpoints) {
		const isSupplier = one.path.includes('/supplier');
		if (one.path.includes(path) && one.method !== 'GET' && !isSupplier) one.mark = as;
	}
}

it('says nothing of an operation that is documented', () => {
	expect(certaintyOf(operationOf('proposal.create'))).toBe('');
	expect(certaintySentence(operationOf('proposal.create'))).toEqual([]);
	expect(certaintySentence(operationOf('item.setSupplier'))).toEqual([]);
});

it('says that a request is assumed, and where to correct it', () => {
	expect(certaintyOf(operationOf('item.move'))).toBe('assumed');
	expect(certaintySentence(operationOf('item.move')).join('')).toMatch(
		/does not document .+ \[assumed\].+ \*Options\* can correct it/,
	);
});

it('says that the probe has confirmed a request', () => {
	mark('/items/move', 'confirmed');
	expect(certaintyOf(operationOf('item.move'))).toBe('confirmed');
	expect(certaintySentence(operationOf('item.move')).join('')).toMatch(
		/does not document .+ \[The probe\].+ has confirmed it/,
	);
	expect(certaintyOf(operationOf('item.copy'))).toBe('assumed');
});

it('names the fields of an update that are confirmed', () => {
	mark('/qty', 'confirmed');
	mark('/note', 'confirmed');
	expect(certaintyOf(operationOf('item.update'))).toBe('assumed in part');
	expect(certaintySentence(operationOf('item.update')).join('')).toMatch(
		/has confirmed \*Quantity\*, \*Client Note\*; the others are \[assumed\]/,
	);
});

it('counts in the README what is assumed, as long as something is', () => {
	expect(certaintyOfAll(declared).join(' ')).toMatch(
		/ of 7 operations, which are marked \*assumed\*/,
	);
	mark('/items/move', 'confirmed');
	expect(certaintyOfAll(declared).join(' ')).toMatch(
		/ of 6 operations, which are marked \*assumed\*/,
	);
	mark('/items', 'confirmed');
	expect(certaintyOfAll(declared).join(' ')).toMatch(/body of 7 operations\. .+ confirmed all/);
});
