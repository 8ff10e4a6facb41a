import { PortalError } from '../../../../client/errors';
import {
	areasOf,
	itemsOf,
	optionsOf,
	readChangedProposal,
	type Area,
	type AreaOption,
	type Proposal,
} from '../../../../client/proposal';
import type { ServiceRequest } from '../../../../client/request';
import { nameKey } from '../../../shared/text';
import type { OperationCall } from '../../operation/operation';
import { requireAddedRecord, createAreaRequest, readProposalAreas } from '../area';
import { filterByName } from '../areaNames';
import { createOptionRequest, textsOf } from '../areaOption';
import { compareRows } from '../item/checkResult';
import { addItemsRequest, catalogValuesOf } from '../item/itemValues';
import { assignRequest } from './assign';
import {
	describeMissing,
	listCopiedValues,
	planRequests,
	type CopiedOption,
	type RecordCopy,
	type ComparedCopy,
} from './copiedValues';

export interface Client {
	contactId?: number;
	locationId?: number;
}

export class ProposalCopy {
	private readonly call: Pick<OperationCall, 'send'>;
	private readonly source: Proposal;
	private readonly id: number;
	private readonly client: Client;
	/** The copy, as Portal.io last returned it. */
	private latest: ComparedCopy = {};
	private readonly areaIds: number[] = [];
	private readonly options: CopiedOption[] = [];

	constructor(call: Pick<OperationCall, 'send'>, source: Proposal, id: number, client: Client) {
		this.call = call;
		this.source = source;
		this.id = id;
		this.client = client;
	}

	async fill(): Promise<void> {
		const { contactId, locationId } = this.client;
		if (contactId !== undefined) await this.send(assignRequest(this.id, 'contact', contactId));
		if (locationId !== undefined) await this.send(assignRequest(this.id, 'location', locationId));
		for (const area of areasOf(this.source)) await this.addArea(area);
		for (const option of this.options) await this.addItems(option);
		for (const values of this.copiedValues(this.latest)) {
			for (const request of planRequests(values)) await this.send(request);
		}
	}

	/** Returns what Portal.io did not do, and whether it stored some text in another form. */
	findProblems(copy: Proposal): { problems: string[]; isReformatted: boolean } {
		const { contactId, locationId } = this.client;
		const problems: string[] = [];
		if (contactId !== undefined && copy.customer?.id !== contactId) {
			problems.push('Portal.io did not assign the contact');
		}
		if (locationId !== undefined && copy.customer?.location?.id !== locationId) {
			problems.push('Portal.io did not assign the location');
		}
		const missing = itemsOf(this.source).length - this.countItems();
		if (missing > 0) problems.push(`${missing} items in the source are nested in a loop`);
		const missingByRecord = this.copiedValues(copy).map(describeMissing);
		problems.push(...missingByRecord.flatMap((values) => values.problems));
		return { problems, isReformatted: missingByRecord.some((values) => values.isReformatted) };
	}

	/** Returns text such as `3 areas, 2 of 6 options, 9 of 40 items`. */
	describeProgress(): string {
		const counts = [
			['area', this.areaIds.length, areasOf(this.source).length],
			['option', this.options.length, optionsOf(this.source).length],
			['item', this.countItems(), itemsOf(this.source).length],
		] as const;
		return counts
			.map(([what, done, all]) => {
				const count = done === all ? all : `${done} of ${all}`;
				return `${count} ${what}${all === 1 ? '' : 's'}`;
			})
			.join(', ');
	}

	private countItems(): number {
		return this.options.reduce((sum, { itemIds }) => sum + itemIds.size, 0);
	}

	private async send(request: ServiceRequest): Promise<unknown> {
		return await this.call.send({ ...request, followsCreation: true });
	}

	private async addArea(area: Area): Promise<void> {
		const response = await this.send(createAreaRequest(this.id, area.name)).catch(
			(error: Error) => {
				throw PortalError.from(error).with({ advice: [adviceOnNamesakes(this.source, area)] });
			},
		);
		const added = await this.findAdded(`area '${area.name}'`, response, areasOf, (areas) =>
			filterByName(areas, area.name),
		);
		this.areaIds.push(added.id);
		for (const [index, option] of area.options.entries()) {
			// For the first option, use the one that Portal.io creates with the area.
			const [firstOption] = index === 0 ? added.options : [];
			const { id } = firstOption ?? (await this.addOption(added.id, area.name, option));
			this.options.push({
				area,
				option,
				optionNumber: index + 1,
				areaId: added.id,
				optionId: id,
				itemIds: new Map(),
			});
		}
	}

	private async addOption(areaId: number, name: string, option: AreaOption): Promise<AreaOption> {
		const response = await this.send(createOptionRequest(this.id, areaId, textsOf(option)));
		const optionsIn = (proposal: ComparedCopy) =>
			areasOf(proposal).find(({ id }) => id === areaId)?.options ?? [];
		return await this.findAdded(`option of '${name}'`, response, optionsIn, () => []);
	}

	private async findAdded<T extends { id: number }>(
		what: string,
		response: unknown,
		recordsIn: (proposal: ComparedCopy) => T[],
		choose: (candidates: T[]) => T[],
	): Promise<T> {
		const before = recordsIn(this.latest);
		this.latest = await readProposalAreas(this.call, this.id, response);
		return requireAddedRecord(what, before, recordsIn(this.latest), choose);
	}

	/** Adds the items of an option level by level, because an item can be nested only under an existing item. */
	private async addItems({
		area,
		option,
		optionNumber,
		optionId,
		itemIds,
	}: CopiedOption): Promise<void> {
		const ids = new Set<unknown>(option.items.map(({ id }) => id));
		let level = option.items.filter(({ parentId }) => !ids.has(parentId));
		while (level.length > 0) {
			const rows = level.map((item) => ({
				name: '',
				values: {
					...catalogValuesOf(item),
					areaOptionId: optionId,
					parentId: itemIds.get(item.parentId!) ?? null,
				},
			}));
			const values = rows.map((row) => row.values);
			const response = await this.send(addItemsRequest(this.id, optionId, values));
			const after = await readChangedProposal(this.call, this.id, response);
			const before = itemsOf({ ...after, areas: this.latest.areas });
			const compared = compareRows(rows, before, itemsOf(after));
			this.latest = after;
			for (const [index, { item, differences }] of compared.entries()) {
				// Ignore the quantity, which is set later with the other values.
				const isPlaced = differences.every((name) => name === 'quantity');
				if (item !== undefined && isPlaced) itemIds.set(level[index]!.id, item.id);
			}
			const missing = level.filter(({ id }) => !itemIds.has(id)).length;
			if (missing > 0) {
				const what = missing === 1 ? 'an item' : `${missing} items`;
				throw new PortalError(
					`Portal.io did not add ${what} to '${area.name}', option ${optionNumber}`,
				);
			}
			const parentIds = new Set<unknown>(level.map(({ id }) => id));
			level = option.items.filter(({ parentId }) => parentIds.has(parentId));
		}
	}

	private copiedValues(copy: ComparedCopy): RecordCopy[] {
		return listCopiedValues(this.source, this.id, this.options, copy);
	}
}

/**
 * Returns advice about areas with the same name. Portal.io documents that names are unique, but its own editor might
 * allow duplicates.
 */
function adviceOnNamesakes(source: Proposal, { name }: Area): string {
	const count = areasOf(source).filter((area) => nameKey(area.name) === nameKey(name)).length;
	return count === 1
		? ''
		: `The source proposal has ${count} areas named '${name}'. If Portal.io rejects the second one, rename it in the source proposal.`;
}
