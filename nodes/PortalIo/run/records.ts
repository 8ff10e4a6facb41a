import type { Session } from '../../../client/session';
import type { Found, Records } from '../fields/records';
import { findCatalogItem } from './findCatalogItem';
import { findContact, findSalesperson } from './findByEmail';
import { findItem } from './findItem';
import { findProposal } from './findProposal';
import { ProposalAreas } from './proposalAreas';

/** The records that the inputs of an execution name: each is looked up once. */
export class AccountRecords {
	private readonly found = new Map<string, Promise<Found>>();
	private readonly session: Session;
	private readonly areas: ProposalAreas;

	constructor(session: Session) {
		this.session = session;
		this.areas = new ProposalAreas(session);
	}

	/** @param itemIndex the input that errors name */
	forInput(itemIndex?: number): Records {
		const { session, areas } = this;
		return {
			proposal: async (number) =>
				await this.once(`proposal ${number}`, () => findProposal(session, number, itemIndex)),
			catalogItem: async (model, itemType) =>
				await this.once(`${itemType} ${model}`, () =>
					findCatalogItem(session, model, itemType, itemIndex),
				),
			contact: async (email) =>
				await this.once(`contact ${email}`, () => findContact(session, email, itemIndex)),
			salesperson: async (email) =>
				await this.once(`salesperson ${email}`, () => findSalesperson(session, email, itemIndex)),
			item: async (proposalId, model) =>
				await this.once(`${proposalId} ${model}`, () =>
					findItem(session, proposalId, model, itemIndex),
				),
			area: async (proposalId, name) => await areas.find(proposalId, name, itemIndex),
			areaOption: async (proposalId, name, missing) =>
				await areas.findOption(proposalId, name, missing, itemIndex),
		};
	}

	private async once(key: string, find: () => Promise<Found>): Promise<Found> {
		const found = this.found.get(key) ?? find();
		this.found.set(key, found);
		return await found;
	}
}
