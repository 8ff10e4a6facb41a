import type { Database } from '../database.mts';
import { outlineText } from '../ai/plan.mts';
import { userIds } from './accounts.mts';
import type { DaysAgo } from './daysAgo.mts';
import { proposalIds } from './proposalIds.mts';

/** IDs of AI contents. */
export const aiContentIds = {
	/** Of `freshLighting` (Draft): transcribed, no outline yet. */
	transcribed: 91_001,
	/** Of `freshLighting`: ended as Invalid. */
	invalid: 91_002,
	/** Of `freshNetwork` (Draft), which has a completed outline. */
	withOutline: 91_003,
	/** Of `accepted`: can no longer be deleted. */
	ofAccepted: 91_004,
	/** Of the other dealer: a 404 for all other users. */
	ofOtherDealer: 91_901,
};

/** IDs of outlines. */
export const aiOutlineIds = {
	/** Of `freshNetwork`: completed, ready to be built. */
	completed: 95_001,
	/** Of the other dealer: a 404 for all other users. */
	ofOtherDealer: 95_901,
};

type Content = [
	id: number,
	proposal: number,
	user: number,
	name: string,
	type: string,
	ok: boolean,
];

const contents: Content[] = [
	[
		aiContentIds.transcribed,
		proposalIds.freshLighting,
		userIds.dealer,
		'Walk through the ground floor',
		'Audio',
		true,
	],
	[aiContentIds.invalid, proposalIds.freshLighting, userIds.dealer, 'Site noise', 'Video', false],
	[
		aiContentIds.withOutline,
		proposalIds.freshNetwork,
		userIds.salesJordan,
		'Network notes',
		'Text',
		true,
	],
	[
		aiContentIds.ofAccepted,
		proposalIds.accepted,
		userIds.dealer,
		'Family room call',
		'Audio',
		true,
	],
	[
		aiContentIds.ofOtherDealer,
		proposalIds.otherDraft,
		userIds.otherDealer,
		'Boathouse',
		'Text',
		true,
	],
];

/** Inserts finished AI contents and outlines. IDs of new ones start above 92000 and 96000. */
export function insertAi(database: Database, daysAgo: DaysAgo): void {
	for (const [id, proposal_id, user_id, name, source_type, isUsable] of contents) {
		database.insert('ai_contents', {
			id,
			proposal_id,
			user_id,
			name,
			source_type,
			summary: isUsable ? `${source_type} about the rooms and the equipment: ${name}.` : '',
			status: isUsable ? 'Transcribed' : 'Invalid',
			created_date: daysAgo(24, '15:30'),
			is_unusable: !isUsable,
		});
	}
	for (const [id, proposalId] of [
		[aiOutlineIds.completed, proposalIds.freshNetwork],
		[aiOutlineIds.ofOtherDealer, proposalIds.otherDraft],
	] as const) {
		const proposal = database.get('SELECT * FROM proposals WHERE id = ?', proposalId)!;
		const sources = database.all('SELECT * FROM ai_contents WHERE proposal_id = ?', proposalId);
		database.insert('ai_outlines', {
			id,
			proposal_id: proposalId,
			status: 'Completed',
			outline: outlineText(database, proposal, sources),
		});
	}
	for (const [table, start] of [
		['ai_contents', 92_000],
		['ai_outlines', 96_000],
	] as const) {
		database.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', start, table);
	}
}
