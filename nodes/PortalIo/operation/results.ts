/** Turns responses into the results of operations. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../../../client/request';
import { isRecord, takeList } from '../../../client/data';
import type { PageShape } from '../../../client/pages';
import type { Call } from './operation';
import type { Result } from './output';

/** The contents of a response, if it is not the record itself. */
interface Response<V> {
	list?: [name: string, count?: string];
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

/** A response and the records in it; without any, the response itself is the output. */
export const fromResponse = (raw: unknown, records: unknown): Result => ({
	records: [records ?? []].flat(),
	raw,
});

/** Adds known fields that the record leaves out. */
export function withKnown(record: unknown, known: IDataObject): unknown {
	if (!isRecord(record)) return record;
	const missing = Object.entries(known).filter(([name]) => (record[name] ?? null) === null);
	return { ...known, ...record, ...Object.fromEntries(missing) };
}
