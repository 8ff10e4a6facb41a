/** The fields of a described request. */
import type { Field } from '../fields.mts';
import type { Described, Shape } from './described.mts';

function listFields({ fields = {} }: Shape, parent = ''): Field[] {
	return Object.entries(fields).flatMap(([name, shape]) => {
		const path = parent + name;
		const inner = shape.type === 'list' ? shape.entries : undefined;
		return [
			{ path, type: shape.type },
			...(inner === undefined || parent !== '' ? [] : listFields(inner, `${path}[].`)),
		];
	});
}

/** What a described endpoint takes besides the parameters of its path. */
export function requestFields({ path, request }: Described, ourPath: string): Field[] {
	const inPath = [...`${path} ${ourPath}`.matchAll(/\{(\w+)/g)].map(([, name]) =>
		name!.toLowerCase(),
	);
	return listFields(request).filter((field) => !inPath.includes(field.path.toLowerCase()));
}
