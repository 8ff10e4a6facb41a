import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Context } from '../context.mts';
import type { Database, Row } from '../database.mts';
import { catalogColumns, visibleCatalogItem } from '../items.mts';
import { toQuantity } from '../money.mts';
import { isTerminal } from '../proposals.mts';

/** AI Builder's plan for a proposal, which is the same for any content. */
const plan: { name: string; description: string; items: [itemId: number, quantity: number][] }[] =
	parse(readFileSync(new URL('plan.yaml', import.meta.url), 'utf8'));

const linesOf = (database: Database, proposal: Row, area: (typeof plan)[number]): [Row, number][] =>
	area.items.flatMap(([id, quantity]) => {
		const item = visibleCatalogItem(database, proposal.account_id!, id);
		return item ? [[item, quantity]] : [];
	});

/** Writes the outline as Markdown with the names of its contents. */
function outlineText(database: Database, proposal: Row, contents: Row[]): string {
	const areas = plan.map((area) => {
		const items = linesOf(database, proposal, area).map(
			([item, quantity]) =>
				`- ${quantity} × ${item.name ?? `${item.brand} ${item.model}`}: ${item.short_description}`,
		);
		return `## ${area.name}\n\n${area.description}\n\n${items.join('\n')}`;
	});
	const sources = contents.map((content) => `- ${content.name}`).join('\n');
	return [`# ${proposal.name}`, ...areas, `## Sources\n\n${sources}`].join('\n\n') + '\n';
}

/** Adds the plan to the proposal: areas with one option each, and items at catalog prices. */
function buildProposal(database: Database, proposal: Row, at: string): void {
	for (const area of plan) {
		const existingAreas = database.rows('areas', { proposal_id: proposal.id });
		const { length } = existingAreas.filter(({ name }) => String(name).startsWith(area.name));
		// Find an unused area name: `Network`, `Network 2`, `Network 3`.
		const name = length === 0 ? area.name : `${area.name} ${length + 1}`;
		const areaId = database.insert('areas', { proposal_id: proposal.id, name });
		const optionId = database.insert('area_options', {
			area_id: areaId,
			last_modified_date: at,
			client_description: area.description,
		});
		for (const [item, quantity] of linesOf(database, proposal, area)) {
			database.insert('proposal_items', {
				...catalogColumns(database, item, at),
				option_id: optionId,
				quantity: toQuantity(quantity),
				created_date: at,
			});
		}
	}
	// Don't set `last_modified_by_user_date`, because the AI Builder makes this change, not a user.
	database.update('proposals', proposal.id!, { last_modified_date: at });
}

type AiContext = Omit<Context, 'beginAi'>;

/** Performs a step, and returns the columns to change. `next_step_at` is null after the last step. */
type Step = (context: AiContext, row: Row, proposal: Row, nextStepAt: number) => Row;

const contentStep: Step = (_context, row, _proposal, nextStepAt): Row => {
	if (row.status === 'Uploaded') return { status: 'Processing', next_step_at: nextStepAt };
	if (row.is_unusable) return { status: 'Invalid', next_step_at: null };
	const summary = `${row.source_type} about the rooms, the equipment and the wiring: ${row.name}.`;
	return { status: 'Transcribed', summary, next_step_at: null };
};

/** Sends the event at the end of an outline or build. The fields of its data are assumed. */
function announce(context: AiContext, what: string, proposal: Row, data: object): void {
	context.publish({
		accountId: Number(proposal.account_id),
		type: `proposal.${what}.status_update`,
		data: { proposalId: proposal.id, ...data },
	});
}

/** Last step of an outline, from Generating to Completed or Failed (`Failed` is assumed). */
const outlineStep: Step = (context, row, proposal) => {
	const { database } = context;
	const status = row.is_failing ? 'Failed' : 'Completed';
	announce(context, 'outline', proposal, { outlineId: row.id, status });
	const contents = transcribedContents(database, proposal);
	const outline = row.is_failing ? null : outlineText(database, proposal, contents);
	return { status, outline, next_step_at: null };
};

/**
 * Last step of a build, from Building to Completed or Failed (assumed). The build fails if the proposal is not editable
 * at that time.
 */
const buildStep: Step = (context, row, proposal) => {
	const isFailing = row.is_failing === 1 || isTerminal(proposal);
	if (!isFailing) buildProposal(context.database, proposal, context.clock.iso());
	const status = isFailing ? 'Failed' : 'Completed';
	announce(context, 'build', proposal, { status });
	return { status, next_step_at: null };
};

export const transcribedContents = (database: Database, { id }: Row): Row[] =>
	database.rows('ai_contents', { proposal_id: id, status: 'Transcribed' });

const steps: Record<string, Step> = {
	ai_contents: contentStep,
	ai_outlines: outlineStep,
	ai_builds: buildStep,
};

export type AiWork = ReturnType<typeof createAiWork>;

/** Advances contents, outlines, and builds through their statuses over time. */
export function createAiWork(context: AiContext) {
	const { database, clock, settings } = context;
	const failing = new Set<string>();
	const nextStepAt = () => clock.now() + settings.aiStepSeconds * 1000;

	const findPending = () =>
		Object.keys(steps).flatMap((table) =>
			database
				.all(`SELECT * FROM ${table} WHERE next_step_at IS NOT NULL ORDER BY id`)
				.map((row) => ({ table, row })),
		);

	/** Performs one step of each row that is due. Returns whether any row was due. */
	function doSteps(until: number): boolean {
		const due = findPending().filter(({ row }) => Number(row.next_step_at) <= until);
		for (const { table, row } of due) {
			database.transaction(() => {
				const proposal = database.row('proposals', { id: row.proposal_id })!;
				const after = steps[table]!(context, row, proposal, nextStepAt());
				database.update(table, row.id!, after);
				settings.log(`${table} ${row.id} of proposal ${proposal.id}: ${after.status}`);
			});
		}
		return due.length > 0;
	}

	/** Performs the due steps, and sets the timer for the next ones. */
	function wake(): void {
		doSteps(clock.now());
		clock.at(Math.min(...findPending().map(({ row }) => Number(row.next_step_at))), wake);
	}

	return {
		wake,
		/**
		 * Inserts a row into `ai_contents`, `ai_outlines`, or `ai_builds`, and schedules its steps. Returns its
		 * ID.
		 */
		begin(table: string, row: Row): number {
			const isFailing = failing.delete(table) && { is_failing: 1 };
			const id = database.insert(table, { ...row, ...isFailing, next_step_at: nextStepAt() });
			// Wait until the current transaction has been committed or rolled back. Transactions are synchronous, so
			// this one has ended by the time that `wake` runs.
			setImmediate(wake);
			return id;
		},
		failNext: (table: 'ai_outlines' | 'ai_builds') => void failing.add(table),
		finish() {
			while (doSteps(Infinity));
			wake();
		},
	};
}
