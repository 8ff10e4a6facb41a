import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { withNodeErrors } from '../../shared/failure';

type Method = (this: ILoadOptionsFunctions, ...given: never[]) => Promise<unknown>;

/** Methods for the lists of the editor, which shows what they throw. */
export const editorMethods = <M extends Record<string, Method>>(methods: M): M =>
	Object.fromEntries(
		Object.entries(methods).map(([name, method]) => [
			name,
			async function (this: ILoadOptionsFunctions, ...given: never[]) {
				return await withNodeErrors(this, async () => await method.apply(this, given));
			},
		]),
	) as M;
