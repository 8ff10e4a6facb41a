/** The largest page of a list. */
import { listIn, type Json, type Walk } from '../walk/walk.mts';

const DEFAULT_SIZE = 10;
const LARGE_SIZE = 1000;

/** What became of a page of some size. */
interface Page {
	status: number;
	length: number;
	/** Whether there were more than came. */
	isCut: boolean;
}

/**
 * The largest page of the proposal list: what is accepted, what is refused, and how many records come
 * when more were asked for. Without that many proposals, nothing shows whether a page is cut.
 */
export async function largestPage({ probe }: Walk): Promise<unknown> {
	const ask = async (size: number): Promise<Page> => {
		const query = { PageNumber: 1, PageSize: size };
		const answer = await probe.call('proposal.getMany', {}, undefined, query);
		const { length } = listIn(answer, 'proposals');
		const total = Number((answer.data as Json)?.proposalCount ?? 0);
		return { status: answer.status, length, isCut: length < Math.min(size, total) };
	};
	const isAccepted = ({ status }: Page) => status >= 200 && status < 300;
	const large = await ask(LARGE_SIZE);
	if (isAccepted(large)) return sizeOf(large, LARGE_SIZE);
	let accepted = DEFAULT_SIZE;
	let refused = LARGE_SIZE;
	let { status } = large;
	if (!isAccepted(await ask(accepted))) return `not known: status ${status}`;
	while (refused - accepted > 1) {
		const size = nextSize(accepted, refused);
		const page = await ask(size);
		if (isAccepted(page) && page.isCut) return { cutAt: page.length };
		if (isAccepted(page)) accepted = size;
		else ({ status } = page);
		if (!isAccepted(page)) refused = size;
	}
	return { accepted, refused, status };
}

const sizeOf = ({ length, isCut }: Page, size: number) =>
	isCut ? { cutAt: length } : { accepted: size, ...(length < size ? { isCut: 'not known' } : {}) };

/** Services have round limits: these and the sizes above them are asked first, then the halves. */
function nextSize(accepted: number, refused: number): number {
	const usual = [100, 101, 50, 51, 200, 201, 250, 251, 500, 501];
	const next = usual.find((size) => size > accepted && size < refused);
	return next ?? Math.floor((accepted + refused) / 2);
}
