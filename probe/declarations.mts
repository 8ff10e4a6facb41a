/** Where this package declares an operation of the contract, as its build has it. */
import { createRequire } from 'node:module';

/** A parameter of a node, as far as the probe reads it. */
interface Field {
	name: string;
	options?: Field[];
	values?: Field[];
}

const load = createRequire(import.meta.url);
const { registry } = load('../dist/nodes/PortalIo/resources/index.js') as {
	registry: Record<
		string,
		{ name: string; operations: Record<string, { name: string; fields: Field[] }> }
	>;
};

/** What declares an operation. */
export interface Declaration {
	/** From the root of the clone. */
	file: string;
	/** As the editor calls it: `Item: Update`. Undefined for what no operation of the node sends. */
	node?: string;
	/** Whether its *Options* can correct the body: *Body Format* and *Extra Fields*. */
	isCorrectable: boolean;
}

/** What sends requests and is no operation of the node. */
const BESIDES: Record<string, Declaration> = {
	'authentication.exchangeKey': { file: 'client/auth/exchange.ts', isCorrectable: false },
};

/** @throws for an operation of the contract that nothing declares */
export function declarationOf(operation: string): Declaration {
	const besides = BESIDES[operation];
	if (besides !== undefined) return besides;
	const [resource = '', own = ''] = operation.split('.');
	const { name, operations } = registry[resource] ?? { name: '', operations: {} };
	// An update has an endpoint for each field.
	const value = [own, own.replace(/^update.+/, 'update')].find((one) => one in operations);
	if (value === undefined) throw new Error(`nodes/PortalIo/resources/ has no ${operation}`);
	const declared = operations[value]!;
	const options = declared.fields.find((field) => field.name === 'options')?.options ?? [];
	return {
		file: `nodes/PortalIo/resources/${resource}/${value}.ts`,
		node: `${name}: ${declared.name}`,
		isCorrectable: options.some((option) => option.name === 'extraFields'),
	};
}
