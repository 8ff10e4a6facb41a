import { sleep } from 'n8n-workflow';

/** Waits; returns early when the execution is stopped. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	let stop = () => {};
	const stopped = new Promise<void>((resolve) => (stop = resolve));
	signal?.addEventListener('abort', stop);
	await Promise.race([sleep(milliseconds), stopped]);
	signal?.removeEventListener('abort', stop);
}
