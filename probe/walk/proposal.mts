/** The proposal that everything else happens in. */
import { isSuccess } from '../attempt.mts';
import { UNSEEN } from '../leftOut.mts';
import { isOwn } from './own.mts';
import {
	addNote,
	isSame,
	keepStatus,
	listIn,
	readBack,
	readProposal,
	type Json,
	type Walk,
} from './walk.mts';

/** Makes the proposal of the probe. */
export async function createProposal(walk: Walk): Promise<void> {
	const { probe, userId } = walk;
	if (userId === undefined) {
		probe.skip(['proposal.create'], 'No user could be read for SalesPersonId.');
		return;
	}
	const answer = await probe.try({
		operation: 'proposal.create',
		values: (attempt) => ({ SalesPersonId: userId, Name: `${walk.name} (${attempt})` }),
		hasEffect: async ({ Name }, made) => {
			const { id } = (made.data ?? {}) as Json;
			if (id === undefined) return false;
			const answer = await probe.call('proposal.get', { ProposalId: id });
			if (!isOwn(made, answer, ({ name }) => [[Name, name]])) return false;
			walk.made.proposals.push(id);
			const read = readBack(answer, made);
			const salesperson = read?.dealer?.salesperson?.id ?? userId;
			return isSame(Name, read?.name) && salesperson === userId;
		},
	});
	keepStatus(walk, 'proposal.create', answer);
	const id = walk.made.proposals.at(-1);
	if (id === undefined) return;
	walk.proposalId = id;
	walk.isOwnProposal = true;
}

/** Without a proposal of its own, the probe reads the first one of the account. */
export async function findProposal(walk: Walk): Promise<void> {
	if (walk.proposalId !== undefined) return;
	const answer = await walk.probe.try({
		operation: 'proposal.getMany',
		query: { SortBy: 'ModifiedDate', SortDirection: 'Desc', PageNumber: 1, PageSize: 10 },
	});
	walk.proposalId = listIn(answer, 'proposals')[0]?.id;
	if (walk.proposalId === undefined) {
		const operations = ['proposal.get', 'changeOrder.getMany', 'changeOrder.get'];
		walk.probe.skip(
			[...operations, 'item.getSuppliers', 'aiContent.getMany', 'aiContent.getMany.alternate'],
			'There is no proposal to read.',
		);
	}
}

/** Reads the proposal. */
export async function readOwnProposal({ probe, proposalId }: Walk): Promise<void> {
	if (proposalId === undefined) return;
	await probe.try({
		operation: 'proposal.get',
		ids: { ProposalId: proposalId },
		hasEffect: async (_values, { data }) => isSame(proposalId, (data as Json).id),
	});
}

/** Finds the proposal in the list by its contact. */
export async function listProposals(walk: Walk): Promise<void> {
	const { probe, made, contactId } = walk;
	if (!walk.isOwnProposal) return;
	const customer = ((await readProposal(walk)) as Json)?.customer?.id;
	await probe.try({
		operation: 'proposal.getMany',
		query: {
			Statuses: ['Draft', 'Submitted'],
			...(customer === contactId ? { ContactId: contactId } : {}),
			IsArchive: false,
			SortBy: 'ModifiedDate',
			SortDirection: 'Desc',
			PageNumber: 1,
			PageSize: 10,
		},
		otherValues: {
			SortBy: { ModifiedDate: ['LastModifiedDate'] },
			SortDirection: { Desc: ['Descending'] },
		},
		hasEffect: async ({ ContactId }, answer) => {
			const ids = listIn(answer, 'proposals').map(({ id }) => id);
			const isOnlyOurs = ContactId === undefined || ids.every((id) => made.proposals.includes(id));
			return ids.includes(walk.proposalId) && isOnlyOurs;
		},
	});
}

/** Changes name, description and notes. */
export async function updateProposal(walk: Walk): Promise<void> {
	const { probe, userId } = walk;
	const ids = { ProposalId: walk.proposalId! };
	await probe.try({
		operation: 'proposal.update',
		ids,
		values: (attempt) => ({ Name: `${walk.name} (${attempt})`, SalesPersonId: userId }),
		hasEffect: async ({ Name }) => isSame(Name, (await readProposal(walk))?.name),
	});
	await probe.try({
		operation: 'proposal.updateDescription',
		ids,
		values: (attempt) => ({ Description: `n8n probe description ${attempt}` }),
		hasEffect: async ({ Description }) =>
			isSame(Description, (await readProposal(walk))?.projectDescription),
	});
	await tryInternalNotes(walk);
}

/** Nothing returns internal notes, so what is learned of the description has to do. */
async function tryInternalNotes(walk: Walk): Promise<void> {
	const { probe } = walk;
	const operation = 'proposal.updateInternalNotes';
	const ids = { ProposalId: walk.proposalId! };
	const values = (attempt: number) => ({ InternalNotes: `n8n probe notes ${attempt}` });
	if ((await probe.try({ operation, ids, values })) === undefined) return;
	const report = probe.endpoints.get(operation)!;
	const { format } = probe.endpoints.get('proposal.updateDescription')!.correction ?? {};
	if (format !== undefined && format !== 'form') {
		report.verdict = 'differs';
		report.correction = { format, names: {} };
		addNote(walk, operation, 'The format is concluded from proposal.updateDescription.');
		return;
	}
	if (report.verdict !== 'confirmed') return;
	// A service that takes any field says nothing about this one.
	const control = await probe.call(operation, ids, { N8nProbeControl: 'n8n probe' });
	if (isSuccess(control)) {
		report.verdict = 'not tried';
		report.note = UNSEEN;
		return;
	}
	addNote(walk, operation, 'Nothing returns internal notes: only the status was seen.');
}

/** A repeated assignment shows in the date alone. */
function isAssigned(before: Json, now: Json, id: number, find: (proposal: Json) => unknown) {
	const isDated = now?.lastModifiedDate !== before?.lastModifiedDate;
	return find(now) === id && (find(before) !== id || isDated);
}

/** Assigns the contact. */
export async function assignContact(walk: Walk): Promise<void> {
	const { probe, contactId } = walk;
	const proposalId = walk.proposalId!;
	if (contactId === undefined) {
		probe.skip(['proposal.assignContact'], 'No contact could be made to assign.');
		return;
	}
	let before: Json;
	await probe.try({
		operation: 'proposal.assignContact',
		ids: { ProposalId: proposalId, ContactId: contactId },
		prepare: async () => void (before = await readProposal(walk)),
		values: () => ({ proposalId, contactId }),
		hasEffect: async () =>
			isAssigned(before, await readProposal(walk), contactId, (one) => one?.customer?.id),
	});
}

/** Assigns the location. */
export async function assignLocation(walk: Walk): Promise<void> {
	const { probe, locationId } = walk;
	const proposalId = walk.proposalId!;
	if (locationId === undefined) {
		probe.skip(['proposal.assignLocation'], 'No location could be made to assign.');
		return;
	}
	const find = (proposal: Json) => proposal?.customer?.location?.id;
	let before: Json;
	await probe.try({
		operation: 'proposal.assignLocation',
		ids: { ProposalId: proposalId, LocationId: locationId },
		prepare: async () => void (before = await readProposal(walk)),
		values: () => ({ proposalId, locationId }),
		hasEffect: async () => isAssigned(before, await readProposal(walk), locationId, find),
	});
}
