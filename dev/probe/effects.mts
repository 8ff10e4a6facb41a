/** Runs the package's operations on a proposal that the probe creates, to see whether they take effect. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { execute, type StoredCredential } from '../testbed/nodeRunner.mts';
import type { Json } from '../simulator/contract.mts';

interface Step {
	/** Operation, such as `item.add`, with its parameters. */
	run: Record<string, Json>;
	keep?: Record<string, [index: number, field: string]>;
}

const steps: Step[] = parse(readFileSync(new URL('effects.yaml', import.meta.url), 'utf8'));

const onItems = { proposalId: '$proposalId' };
const addParameters = { areaOptionId: '$areaOptionId', specifyItems: 'json' };

/**
 * Replaces names such as `$proposalId` in a value with the stored values. Returns undefined if a stored value is
 * missing.
 */
function fillIn(value: Json, storedValues: Record<string, Json>): Json {
	if (typeof value === 'string' && value.startsWith('$')) return storedValues[value.slice(1)];
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, one]) => [key, fillIn(one, storedValues)]);
	if (entries.some(([, one]) => one === undefined)) return undefined;
	return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** Runs all operations in order. Skips an operation that needs the result of a failed one. */
export async function tryOperations(credential: StoredCredential) {
	const kept: Record<string, Json> = { now: `n8n probe ${new Date().toISOString()}` };
	const effects: { operation: string; result: string; hasFailed: boolean }[] = [];
	for (const { run: declared, keep = {} } of steps) {
		const [name, own] = Object.entries(declared)[0]!;
		const common = name.startsWith('item.')
			? { ...onItems, ...(own.itemsJson && addParameters) }
			: {};
		const parameters = fillIn({ ...common, ...own }, kept);
		let result = 'took effect';
		try {
			if (!parameters) throw new Error('not tried, because an earlier operation failed');
			const output = await execute({ credential, operation: name, parameters });
			for (const [key, [index, field]] of Object.entries(keep)) {
				kept[key] = output.at(index)?.json[field];
			}
		} catch (error) {
			result = (error as Error).message;
		}
		const fields = Object.keys(own.updateFields ?? {});
		const hasFailed = result !== 'took effect';
		effects.push({ operation: [name, ...fields].join(' '), result, hasFailed });
	}
	return effects;
}
