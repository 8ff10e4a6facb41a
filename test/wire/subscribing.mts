/** Provides webhook triggers that use the simulator of a test file. */
import { onTestFinished, vi } from 'vitest';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import type { FileService } from './account.mts';

export const ALL = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];
export const URL = 'http://127.0.0.1:5678/webhook/a-webhook-id/webhook';
export type Trigger = ReturnType<typeof triggerNode>;

/** Returns functions that create triggers, by default for all events, and that list all subscriptions. */
export const subscribing = (service: FileService) => ({
	trigger: (parameters: object = {}, credential = service.account) =>
		triggerNode({ credential, parameters: { events: ALL, ...parameters } }),
	subscribed: () =>
		service.control.subscriptions().map(({ url, events, is_enabled }) => [url, events, is_enabled]),
});

export const activate = async (node: Trigger) => {
	if (!(await node.checkExists())) await node.create();
};

/** Collects the lines of n8n's log until the test ends. */
export function watchLog(): string[] {
	const lines: string[] = [];
	const { _stdout: stdout } = console as unknown as { _stdout: NodeJS.WriteStream };
	const log = vi.spyOn(stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
	onTestFinished(() => log.mockRestore());
	return lines;
}
