/** What the probe is asked to try: one endpoint, and how to see that it took effect. */
import type { Answer, FileBody } from './model.mts';

/** Path parameters by name. */
export type Ids = Record<string, number>;

/** Query parameters under the contract's names. */
export type Query = Record<string, unknown>;

/** The fields of a body under the contract's names. */
export type Values = Record<string, unknown>;

/** One endpoint to try, with what its requests need. */
export interface Trial {
	/** Of the contract, `.alternate` included. */
	operation: string;
	/** Read after `prepare`, which may fill them. */
	ids?: Ids;
	query?: Query;
	/**
	 * Other values for each attempt, so that its effect can be told from that of an earlier one. No
	 * two attempts of a probe have the same number.
	 */
	values?: (attempt: number) => Values;
	/** Makes what an attempt uses up, such as an item to delete. Runs before each attempt. */
	prepare?: () => Promise<void>;
	/**
	 * Reads back whether an attempt took effect, which a status alone does not show. Left out: a 2xx
	 * is enough.
	 */
	hasEffect?: (values: Values, answer: Answer) => Promise<boolean>;
	/** Other values that some document names for an enumeration: by field, by the contract's value. */
	otherValues?: Record<string, Record<string, string[]>>;
	/** Paths, beside that of the contract, that some document or convention names. */
	otherPaths?: string[];
	/** For uploads, in place of `values`. */
	file?: FileBody;
}
