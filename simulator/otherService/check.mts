import { operations } from '../contract.mts';
import { fieldsOf } from './fields.mts';
import type { OtherService } from './settings.mts';

/** Throws when a setting names an operation or a field that the contract does not have. */
export function checkService(service: OtherService): void {
	const { names = {}, paths = {}, statuses = {}, answers = {}, formats = {}, lists = {} } = service;
	const known = new Set(operations.flatMap(({ id, name }) => [id, name]));
	const named = [names, paths, statuses, answers, formats, lists]
		.filter((one) => !Array.isArray(one))
		.flatMap((one) => Object.keys(one));
	for (const id of named) {
		if (id !== '*' && !known.has(id)) throw new Error(`The contract has no operation ${id}`);
	}
	const fieldNames = (id: string) =>
		operations
			.filter((one) => one.id === id || one.name === id)
			.flatMap((one) => fieldsOf(one).map((field) => field.name));
	for (const [id, path] of Object.entries(paths)) {
		for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) {
			if (!fieldNames(id).includes(parameter!)) throw new Error(`${id} has no field ${parameter}`);
		}
	}
	for (const [id, fields] of Object.entries(names)) {
		const ours = fieldNames(id);
		for (const field of Object.keys(fields)) {
			if (!ours.includes(field.split('[]')[0]!)) throw new Error(`${id} has no field ${field}`);
		}
	}
}
