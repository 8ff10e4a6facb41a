/** A process of Vitest that stays for many runs: n8n-core alone takes seconds to load. */
import {
	ForksPoolWorker,
	type PoolOptions,
	type PoolWorker,
	type WorkerRequest,
} from 'vitest/node';

/** For how many runs a process stays: what failed tests leave behind adds up. */
const MAX_RUNS = 400;

type Listener = (argument: unknown) => void;
interface Kept {
	worker: ForksPoolWorker;
	runs: number;
	/** The source whose modules the last run has loaded with a change in it. */
	changed?: string | undefined;
}

/** By the name of the project. */
const kept = new Map<string, Kept>();

let changed: string | undefined;
/** Sets the source that the next runs load anew, with all that imports it. */
export const loadAnew = (file: string | undefined) => void (changed = file);

/** What Vitest takes for a process of its own in each run. */
export class WarmWorker implements PoolWorker {
	readonly name = 'warm';
	readonly cacheFs = true;
	private readonly options: PoolOptions;
	private readonly key: string;
	private readonly listeners = new Set<Listener>();
	private process: Kept | undefined;
	private isNew = false;
	private startRequest: WorkerRequest | undefined;

	constructor(options: PoolOptions) {
		this.options = options;
		this.key = options.project.name;
	}

	async start(): Promise<void> {
		this.process = kept.get(this.key);
		if (this.process !== undefined) return;
		this.isNew = true;
		const started = { worker: new ForksPoolWorker(this.options), runs: 0 };
		this.process = started;
		await started.worker.start();
		started.worker.on('exit', () => {
			if (kept.get(this.key) === started) kept.delete(this.key);
		});
		kept.set(this.key, started);
	}

	async stop(): Promise<void> {
		if (++this.process!.runs < MAX_RUNS) return;
		kept.delete(this.key);
		await this.process!.worker.stop();
	}

	on(event: string, listener: Listener): void {
		if (event === 'message') this.listeners.add(listener);
		this.process?.worker.on(event, listener);
	}

	off(event: string, listener: Listener): void {
		this.listeners.delete(listener);
		this.process?.worker.off(event, listener);
	}

	send(message: WorkerRequest): void {
		if (message.type === 'start') this.startRequest = message;
		// Each run has settings of its own, which Vitest sends to a new process only.
		if (message.type === 'run' && this.startRequest?.type === 'start')
			Object.assign(message.context, {
				config: this.startRequest.context.config,
				invalidates: this.invalidates(),
			});
		if (message.type === 'start' && !this.isNew) this.answer('started');
		else if (message.type === 'stop') this.answer('stopped');
		else this.process?.worker.send(message);
	}

	/** The modules that are loaded anew: what a change has altered must not stay for those that follow. */
	private invalidates(): string[] {
		const { moduleGraph } = this.options.project.vite.environments.ssr!;
		const files = new Set<string>();
		const add = (file: string | null | undefined) => {
			if (!file || files.has(file)) return;
			files.add(file);
			for (const { importers } of moduleGraph.getModulesByFile(file) ?? [])
				for (const importer of importers) add(importer.file);
		};
		add(this.process!.changed);
		add(changed);
		this.process!.changed = changed;
		return [...files];
	}

	private answer(type: string): void {
		for (const tell of this.listeners) tell({ type, __vitest_worker_response__: true });
	}

	deserialize(message: unknown): unknown {
		return message;
	}
}

/** Whether processes of these projects have stayed. */
export const areWarm = (projects: string[]): boolean => projects.every((name) => kept.has(name));

/** Ends the processes that stayed, of these projects or of all. */
export async function endWarmWorkers(projects = [...kept.keys()]): Promise<void> {
	const ended = projects.map((name) => kept.get(name));
	for (const name of projects) kept.delete(name);
	await Promise.all([...new Set(ended)].map(async (one) => await one?.worker.stop()));
}
