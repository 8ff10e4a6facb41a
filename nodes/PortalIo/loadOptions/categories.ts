import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { listOf } from '../shared/responseLists';

/** An industry, or a category below it. */
interface Category {
	id: number;
	name: string;
	/** Of an industry. */
	categories?: Category[] | null;
	/** Of a category. */
	subCategories?: Category[] | null;
}

/** The categories that have none below them: those that items are in. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await categories(this, ({ subCategories }) => !subCategories?.length);
}

/** The categories that have others below them. */
export async function getParentCategories(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await categories(this, ({ subCategories }) => Boolean(subCategories?.length));
}

async function categories(
	context: ILoadOptionsFunctions,
	isWanted: (category: Category) => boolean,
): Promise<INodePropertyOptions[]> {
	const request = { method: 'GET', path: '/public/catalog/categories' } as const;
	const answer = await send(await openSession(context), request);
	const below = (place: string, some: Category[] | null | undefined): INodePropertyOptions[] =>
		(some ?? []).flatMap((category) => {
			const name = `${place} / ${category.name}`;
			const own = isWanted(category) ? [{ name, value: category.id }] : [];
			return [...own, ...below(name, category.subCategories)];
		});
	const industries = listOf(answer, 'industries') as unknown as Category[];
	return industries.flatMap(({ name, categories }) => below(name, categories));
}
