/** Ends an n8n as a power failure would. */
import { readdirSync, readFileSync } from 'node:fs';
import type { N8n } from './n8n.mts';

/** Kills the n8n of a user folder and all that it started, without a chance to tidy up. */
export async function kill(n8n: N8n): Promise<void> {
	for (const pid of processesOf(n8n.folder)) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended with its parent.
		}
	}
	await n8n.ended;
}

/** The ids of all processes of the n8n with this user folder. */
export function processesOf(folder: string): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter((pid) => environmentOf(pid).includes(`N8N_USER_FOLDER=${folder}`))
		.map(Number);
}

function environmentOf(pid: string): string[] {
	try {
		return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
	} catch {
		return [];
	}
}
