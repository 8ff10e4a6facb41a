/**
 * Portal.io does not document its largest page (a third party says 100): larger ones are tried, and a
 * size that was refused is not tried again while this process runs.
 */

const SIZES = [500, 100, 50, 25, 10];

/** The largest size that a list has not refused, by base URL and path. */
const learned = new Map<string, number>();

/** The size to try first for a list. */
export function pageSizeFor(baseUrl: string, path: string): number {
	return learned.get(`${baseUrl} ${path}`) ?? SIZES[0]!;
}

/** The next size to try after one was refused; undefined when there is none. */
export function smallerPageSize(refused: number): number | undefined {
	return SIZES.find((size) => size < refused);
}

/** Remembers that nothing larger than this is worth a try. */
export function learnPageSize(baseUrl: string, path: string, size: number): void {
	learned.set(`${baseUrl} ${path}`, size);
}
