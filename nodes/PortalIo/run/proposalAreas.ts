/** The areas of proposals by their names: each proposal is read once in an execution. */
import { path } from '../../../client/encoding';
import { areasOf, isProposal, readProposal } from '../../../client/proposal';
import type { Proposal } from '../../../client/model';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import { nameKey, plainText } from '../../shared/text';
import type { Reference } from '../fields/reference';

/** What is kept of an area. */
interface KnownArea {
	id: number;
	name: string;
	optionIds: number[];
}

/** A name with the number of an option: `Living Room / 2`. `Apt 2/3` is a name. */
const WITH_OPTION = /^(.*\S) \/ ([1-3])$/;
const MAX_NAMED = 10;

/** How an area that the proposal does not have is treated. */
export interface Missing {
	/** Whether it is created. */
	creates: boolean;
	/** Whether it could be, if the user wanted. */
	canCreate: boolean;
}

export class ProposalAreas {
	private readonly known = new Map<number, Promise<KnownArea[]>>();

	private readonly session: Session;

	constructor(session: Session) {
		this.session = session;
	}

	/**
	 * The ID of an area, or of an area option, by its name. One that is missing is created where that is
	 * wanted; inputs that may create one in the same proposal have to wait for each other.
	 *
	 * @returns why there is none, as the end of a sentence about the field, when there is none
	 */
	async find(
		proposalId: number,
		reference: Reference,
		missing: Missing,
		itemIndex: number,
	): Promise<number | string> {
		const { text } = reference;
		const { creates } = missing;
		const areas = await this.areasOf(proposalId, itemIndex);
		const found = findIn(areas, reference, creates);
		if (found !== undefined) return found;
		if (creates) {
			await this.create(proposalId, text.trim(), itemIndex);
			const created = findIn(await this.areasOf(proposalId, itemIndex), reference, creates);
			return created ?? `could not be created: the proposal has no area '${text}' afterwards`;
		}
		const names = areas.slice(0, MAX_NAMED).map(({ name }) => `'${name}'`);
		const has = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
		const advice = missing.canCreate
			? "Check the name, or turn on 'Create Missing Area'."
			: 'Check the name.';
		return `was not found: the proposal has no area '${plainText(text)}'. ${has} ${advice}`;
	}

	private async areasOf(proposalId: number, itemIndex: number): Promise<KnownArea[]> {
		const reading =
			this.known.get(proposalId) ??
			readProposal((request) => send(this.session, request, itemIndex), proposalId).then(areasIn);
		this.known.set(proposalId, reading);
		return await reading;
	}

	/** Creates an area. What the proposal has is read anew where the response does not tell. */
	private async create(proposalId: number, name: string, itemIndex: number): Promise<void> {
		this.known.delete(proposalId);
		const response = await send(
			this.session,
			{ method: 'POST', path: path`/public/proposals/${proposalId}/area`, form: { Name: name } },
			itemIndex,
		);
		if (isProposal(response)) this.known.set(proposalId, Promise.resolve(areasIn(response)));
	}
}

/** What is kept of the areas of a proposal. */
const areasIn = (proposal: Proposal): KnownArea[] =>
	areasOf(proposal).map(({ id, name, options }) => ({
		id,
		name: String(name),
		optionIds: options.map((option) => option.id),
	}));

/**
 * The ID in areas that are known; why the name is not enough; undefined when no area has it.
 *
 * @param isName whether the text is the name of an area and nothing else
 */
function findIn(
	areas: KnownArea[],
	{ kind, text }: Reference,
	isName: boolean,
): number | string | undefined {
	const named = areasNamed(areas, text);
	const [, name = '', number] = isName ? [] : (WITH_OPTION.exec(plainText(text)) ?? []);
	const isOfOption = kind === 'areaOption' && named.length === 0 && number !== undefined;
	const [area, ...others] = isOfOption ? areasNamed(areas, name) : named;
	if (area === undefined) return undefined;
	if (others.length > 0) {
		return `is ambiguous: the proposal has ${others.length + 1} areas '${area.name}'. Choose one from the list, or enter its ID.`;
	}
	if (kind === 'area') return area.id;
	const { optionIds } = area;
	const count = optionIds.length;
	if (!isOfOption) {
		const advice = isName
			? 'Choose one from the list, or enter its ID.'
			: `Add the option number, as in '${area.name} / 1'.`;
		return count === 1
			? optionIds[0]!
			: `is ambiguous: '${area.name}' has ${count} options. ${advice}`;
	}
	const has = count === 1 ? 'only one option' : `only ${count} options`;
	return optionIds[Number(number) - 1] ?? `was not found: '${area.name}' has ${has}`;
}

/** The areas with a name, as exactly as there are any. */
function areasNamed(areas: KnownArea[], name: string): KnownArea[] {
	const exact = areas.filter((area) => area.name === name.trim());
	return exact.length > 0 ? exact : areas.filter((area) => nameKey(area.name) === nameKey(name));
}
