import type { IDataObject } from 'n8n-workflow';
import { isRecord, ShapeError } from '../../../client/data';
import { simplifyTo, type JsonType, type Shape } from '../../shared/shape';

/** What an operation gives to the next step: records with a shape, or as they come with a schema. */
export interface Output<V, R> {
	/**
	 * With the field `simplify`: the flat fields of a record, its ID first. Without it the response is
	 * given.
	 */
	shape?: Shape<never>;
	/** The fields in its place, where values of the operation ask for others. */
	shapeFor?(values: V): Shape<never> | undefined;
	/** Without the field: the known fields of a record, of which there are ten at most. */
	schema?: Record<string, JsonType>;
	/** What the list is called that the response is, and its count: each of its records is one output. */
	list?: [name: string, count?: string];
	/**
	 * The records that were read, made or changed, from a response or from one record of a list; the
	 * response itself when absent.
	 *
	 * @returns undefined for a response that is not what was expected, which is then passed on
	 */
	records?(response: IDataObject, values: V): R | R[] | undefined;
	/** What is given without `simplify` where it is not the response as it comes: the records. */
	raw?: 'records';
}

/** The output of a response, or of one record of a list. */
export function shapeResponse<V, R extends object>(
	{ shape: ownShape, shapeFor, records, raw }: Output<V, R>,
	response: IDataObject,
	values: V,
): IDataObject[] {
	if (!isRecord(response)) throw new ShapeError('a record', response);
	const shape = shapeFor?.(values) ?? ownShape;
	const { simplify, output, outputFields } = values as Detail;
	const isRaw = shape !== undefined && (!simplify || output === 'raw');
	if (isRaw && raw !== 'records') return [response];
	const found = records === undefined ? (response as R) : records(response, values);
	if (found === undefined) return [response];
	const list = [found].flat() as R[];
	return shape === undefined || isRaw
		? (list as unknown as IDataObject[])
		: list.map((record) => {
				const simple = simplifyTo(shape as Shape<R>, record);
				const [[idName, id]] = Object.entries(simple) as [[string, unknown]];
				const known = Object.values(simple).filter((value) => value !== null);
				// Something else than a record: an output of nulls would hide what it says. One of them may
				// be known, which the operation has added.
				if (id === null && known.length <= 1) return record as IDataObject;
				if (output !== 'selected') return simple;
				const wanted = [idName, ...(outputFields ?? [])];
				return Object.fromEntries(Object.entries(simple).filter(([name]) => wanted.includes(name)));
			});
}

/** How much of a record is wanted. */
interface Detail {
	simplify?: boolean;
	/** Of AI agents. */
	output?: string;
	outputFields?: string[];
}

/** A record with what is known of it without the response, where the response leaves it out. */
export function withKnown<K extends IDataObject>(record: IDataObject, known: K): IDataObject & K {
	const missing = Object.entries(known).filter(([name]) => (record[name] ?? null) === null);
	return { ...known, ...record, ...(Object.fromEntries(missing) as K) };
}

/** A record with the ID of its proposal. */
export const withProposalId = (record: IDataObject, { proposalId }: { proposalId: number }) =>
	withKnown(record, { proposalId });
