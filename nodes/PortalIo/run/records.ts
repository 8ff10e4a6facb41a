import type { Session } from '../../../client/session';
import type { Found, MissingArea, Records } from '../fields/records';
import { findCatalogItem } from './findCatalogItem';
import { findContact, findSalesperson } from './findByEmail';
import { findItem } from './findItem';
import { findProposal } from './findProposal';
import { ProposalAreas } from './proposalAreas';

/** The records that the inputs of an execution name: each is looked up once. */
export class AccountRecords implements Records {
	private readonly found = new Map<string, Promise<Found>>();
	private readonly session: Session;
	private readonly areas: ProposalAreas;

	constructor(session: Session) {
		this.session = session;
		this.areas = new ProposalAreas(session);
	}

	async proposal(number: string): Promise<Found> {
		return await this.once(`proposal ${number}`, () => findProposal(this.session, number));
	}

	async catalogItem(model: string, itemType: string): Promise<Found> {
		const find = () => findCatalogItem(this.session, model, itemType);
		return await this.once(`${itemType} ${model}`, find);
	}

	async contact(email: string): Promise<Found> {
		return await this.once(`contact ${email}`, () => findContact(this.session, email));
	}

	async salesperson(email: string): Promise<Found> {
		return await this.once(`salesperson ${email}`, () => findSalesperson(this.session, email));
	}

	async item(proposalId: number, model: string): Promise<Found> {
		const find = () => findItem(this.session, proposalId, model);
		return await this.once(`${proposalId} ${model}`, find);
	}

	async area(proposalId: number, name: string): Promise<Found> {
		return await this.areas.find(proposalId, name);
	}

	async areaOption(proposalId: number, name: string, missing: MissingArea): Promise<Found> {
		return await this.areas.findOption(proposalId, name, missing);
	}

	private async once(key: string, find: () => Promise<Found>): Promise<Found> {
		const found = this.found.get(key) ?? find();
		this.found.set(key, found);
		return await found;
	}
}
