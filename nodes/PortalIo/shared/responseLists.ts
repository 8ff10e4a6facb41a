import type { IDataObject } from 'n8n-workflow';

/** The records of an answer that is a bare array, or an object that holds one under a name. */
export function listOf(answer: unknown, name: string): IDataObject[] {
	const list = Array.isArray(answer) ? answer : (answer as IDataObject | undefined)?.[name];
	return Array.isArray(list) ? (list as IDataObject[]) : [];
}

/** The records that an answer holds under a name; the answer itself when it is one of them. */
export const recordsIn = (answer: IDataObject, name: string): IDataObject[] =>
	typeof answer === 'object' && name in answer ? listOf(answer, name) : [answer];
