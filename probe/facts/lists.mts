/** Which values lists are sorted by, and how several values are sent. */
import type { Answer } from '../model.mts';
import { listIn, type Json, type Walk } from '../walk/walk.mts';

/** Of newer documents, of older ones, and one that no service can know. */
const DIRECTIONS = ['Asc', 'Desc', 'Ascending', 'Descending', 'n8nProbe'];
const SORTED: Record<string, string> = {
	'proposal.getMany':
		'CreatedDate ModifiedDate LastModifiedDate Number Name ClientName Status LastModifiedByMe n8nProbe',
	'contact.getMany':
		'CreatedDate ModifiedDate LastModifiedDate FirstName LastName CompanyName LastActive LastActiveByMe n8nProbe',
};

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

/** The first record of a list, for exactly this query, whatever was learned about its values. */
async function askFirst({ probe }: Walk, operation: string, query: object): Promise<Answer> {
	const { path, correction } = probe.endpoints.get(operation)!;
	return await probe.service.send({
		method: 'GET',
		path: correction?.path ?? path,
		query: { ...query, PageNumber: 1, PageSize: 1 },
	});
}

/** Which values of SortBy and SortDirection are accepted; else the status. */
export async function sortValues(walk: Walk): Promise<unknown> {
	const found: Record<string, object> = {};
	for (const [operation, names] of Object.entries(SORTED)) {
		const SortBy: Record<string, unknown> = {};
		const SortDirection: Record<string, unknown> = {};
		for (const name of names.split(' ')) {
			const answer = await askFirst(walk, operation, { SortBy: name });
			SortBy[name] = isSuccess(answer) ? 'accepted' : answer.status;
		}
		for (const direction of DIRECTIONS) {
			const query = { SortBy: 'CreatedDate', SortDirection: direction };
			const answer = await askFirst(walk, operation, query);
			SortDirection[direction] = isSuccess(answer) ? 'accepted' : answer.status;
		}
		found[operation] = { SortBy, SortDirection };
	}
	return found;
}

/** Which ways to send two brands in one query of the catalog find what has either. */
export async function catalogLists(walk: Walk): Promise<unknown> {
	const ask = async (query: object) => await askFirst(walk, 'catalog.search', query);
	const [one, other] = listIn(await ask({}), 'brandFacets').filter(
		({ value, count }) => String(value) !== '' && !String(value).includes(',') && count > 0,
	);
	if (other === undefined) return 'not known: there are no two brands';
	const isBoth = async (Brands: unknown) => {
		const answer = await ask({ Brands });
		return (answer.data as Json)?.totalItemCount === one.count + other.count;
	};
	return {
		repeated: await isBoth([one.value, other.value]),
		commas: await isBoth(`${one.value},${other.value}`),
		brackets: await isBoth(JSON.stringify([one.value, other.value])),
	};
}
