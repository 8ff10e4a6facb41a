import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** What a delivery came to. */
interface Outcome {
	/** n8n has stored the execution; what is written into static data now is saved before the answer. */
	onStarted: () => void;
	/** n8n could not start the workflow, and the sender does not believe that it did. */
	onFailed: () => void;
}

/** How often and how long n8n is waited for, in milliseconds, when the sender has hung up. */
const LOOK_EVERY = 200;
const WAIT_AT_MOST = 5 * 60_000;

/**
 * Has n8n answer a delivery once it has stored the execution, and tells when it has.
 *
 * A node that answers for itself does so before n8n has stored or queued anything: what n8n then
 * fails to start, because it is being stopped or its database is away, is lost, since the service
 * holds it for delivered. n8n 2.40 looks for `webhookResponse` after it has stored the execution and
 * before it saves static data and answers, which nothing else tells a node: to be asked for it is
 * the sign. (What is written into static data earlier is dropped there: n8n's `workflow-runner` makes
 * a second `Workflow` over the same data, which clears the mark of the change.) An n8n that asks
 * earlier answers earlier; one that never asks is told by its answer.
 *
 * It takes `responseData: ''` in the description of the webhook: without it n8n 2.40 has an answer
 * of its own and does not ask.
 *
 * @param delivered what the workflow is started with
 */
export function startedWith(
	delivered: IWebhookResponseData,
	response: Response,
	{ onStarted, onFailed }: Outcome,
): IWebhookResponseData {
	let isOpen = true;
	const end = (isStarted: boolean) => {
		if (isOpen) (isStarted ? onStarted : onFailed)();
		isOpen = false;
	};
	// Who hangs up does not stop n8n: it still starts the workflow, or answers nobody that it cannot.
	const closed = async () => {
		const until = Date.now() + WAIT_AT_MOST;
		while (isOpen && !response.writableEnded && Date.now() < until) await sleep(LOOK_EVERY);
		end(response.writableEnded && response.statusCode < 300);
	};
	if (response.closed) void closed();
	else response.once('close', () => void closed());
	return {
		...delivered,
		/** n8n's own answer, which says that the workflow was started. */
		get webhookResponse() {
			return void end(true);
		},
	};
}
