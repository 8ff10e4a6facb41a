/** What operations return, from one request or in the words of the output that the user chose. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../../../client/request';
import { isRecord, takeList } from '../../../client/data';
import type { PageShape } from '../../../client/pages';
import { simplifyTo, type Shape } from '../../shared/shape';
import type { AnyValues, Call, Operation, Result } from './operation';

/** What the response to a request holds, if it is not the record itself. */
interface Response<V> {
	/** A list: its name, and that of its count. */
	list?: [name: string, count?: string];
	/** A list that comes in pages. */
	pages?: PageShape;
	/** Fields that each record is known to have, if the response leaves them out. */
	known?(values: V): IDataObject;
}

/** Runs an operation that sends one request for an input. */
export const oneRequest =
	<V>(
		requestOf: (values: V) => ServiceRequest,
		{ list, pages, known }: Response<NoInfer<V>> = {},
	) =>
	async ({ values, send, readList }: Call<V>): Promise<Result> => {
		const request = requestOf(values);
		const response = pages ? await readList({ request, ...pages }) : await send(request);
		const isList = list !== undefined && typeof response === 'object' && response !== null;
		const records = isList ? takeList(response, ...list) : [response].flat();
		return { records: known ? records.map((one) => withKnown(one, known(values))) : records };
	};

/** A response with the records that it shows; without any, it is the output itself. */
export const fromResponse = (raw: unknown, records: unknown): Result => ({
	records: [records ?? []].flat(),
	raw,
});

/** A record with fields that it is known to have, where it leaves them out. */
export function withKnown(record: unknown, known: IDataObject): unknown {
	if (!isRecord(record)) return record;
	const missing = Object.entries(known).filter(([name]) => (record[name] ?? null) === null);
	return { ...known, ...record, ...Object.fromEntries(missing) };
}

/** How much of a record is wanted. */
interface Detail {
	simplify?: boolean;
	/** Of AI agents. */
	output?: string;
	outputFields?: string[];
}

/** The entries of a result with the fields that the user wants. */
export function inWantedFields(
	operation: Pick<Operation, 'output' | 'outputFor'>,
	{ records, raw = records }: Result,
	values: AnyValues,
): unknown[] {
	const shape = operation.outputFor?.(values) ?? operation.output;
	const { simplify, output, outputFields } = values as Detail;
	if (!simplify || output === 'raw' || shape === undefined || records.length === 0) {
		return [raw].flat();
	}
	const wanted = output === 'selected' ? (outputFields ?? []) : undefined;
	return records.map((record) => (isRecord(record) ? simplified(shape, record, wanted) : record));
}

/** @param wanted the fields to return besides the ID; all when absent */
function simplified(shape: Shape<never>, record: IDataObject, wanted?: string[]): IDataObject {
	const simple = simplifyTo(shape, record as never);
	const [[idName, id]] = Object.entries(simple) as [[string, unknown]];
	const values = Object.values(simple).filter((value) => value !== null);
	// Something else than a record: an output of nulls would hide what it says. One of them may be
	// known, which the operation has added.
	if (id === null && values.length <= 1) return record;
	if (wanted === undefined) return simple;
	const names = [idName, ...wanted];
	return Object.fromEntries(Object.entries(simple).filter(([name]) => names.includes(name)));
}
