import { path, type Fields } from '../../../../client/encoding';
import { areasOf, isProposal, readProposal } from '../../../../client/proposal';
import type { Area, AreaItem, AreaOption, Proposal } from '../../../../client/model';
import { toPascalCase, type Call } from '../../operation/operation';
import { assumedFields } from '../../operation/assumedFields';
import type { OperationRequest } from '../../../../client/alternatePaths';
import { assign } from './assign';
import { differencesOf, matchItems, type Difference } from './itemPairs';

/**
 * A proposal that becomes like another one. Each step compares before it adds, so a copy that was left
 * half-way is completed, and what it has is not added again.
 */
export class Copy {
	private readonly call: Call;
	private readonly source: Partial<Proposal>;
	/** As the service returned it last. */
	private copy: Partial<Proposal>;

	constructor(call: Call, source: Partial<Proposal>, copy: Partial<Proposal>) {
		this.call = call;
		this.source = source;
		this.copy = copy;
	}

	/**
	 * Adds what the copy lacks.
	 *
	 * @returns the copy in full
	 * @throws NodeApiError or NodeOperationError when it cannot be completed
	 */
	async complete(
		contactId: number | undefined,
		locationId: number | undefined,
	): Promise<Partial<Proposal>> {
		const { call, source } = this;
		const id = this.copy.id!;
		if (contactId !== undefined && this.copy.customer?.id !== contactId) {
			await this.change(assign(id, 'contact', contactId));
		}
		if (locationId !== undefined && this.copy.customer?.location?.id !== locationId) {
			await this.change(assign(id, 'location', locationId));
		}
		const description = source.projectDescription ?? '';
		if (description !== (this.copy.projectDescription ?? '')) {
			await this.set('/description', toPascalCase({ description }));
		}
		for (const area of areasOf(source)) await this.copyArea(area);
		this.copy = await this.read();
		const left = this.differences().filter(({ isText }) => !isText);
		if (left.length > 0) {
			throw call.error(
				`Portal.io did not take the ${left[0]!.name} of ${left.length} items`,
				'Compare the two proposals in Portal.io.',
			);
		}
		const { number = id } = this.copy;
		call.hint(`Proposal ${number} has all ${this.progress()}. Not copied: ${this.leftOut()}.`);
		return this.copy;
	}

	/** How much of the contents has been copied. */
	progress(): string {
		const areas = areasOf(this.source);
		const options = areas.flatMap((area) =>
			area.options.map((option, index) => ({ option, own: this.option(area, index) })),
		);
		const counts = [
			['areas', areas.filter((area) => this.area(area)).length, areas.length],
			['options', options.filter(({ own }) => own).length, options.length],
			[
				'items',
				options.reduce(
					(sum, { option, own }) => sum + matchItems(option.items, own?.items).size,
					0,
				),
				options.reduce((sum, { option }) => sum + (option.items?.length ?? 0), 0),
			],
		] as const;
		return counts
			.map(([what, done, all]) => `${done === all ? all : `${done} of ${all}`} ${what}`)
			.join(', ');
	}

	private async copyArea(area: Area): Promise<void> {
		const { call } = this;
		const place = path`/public/proposals/${this.copy.id!}/area`;
		if (this.area(area) === undefined) {
			await this.change({ method: 'POST', path: place, form: toPascalCase({ name: area.name }) });
			if (this.area(area) === undefined) {
				throw call.error(`Portal.io did not add the area '${area.name}'`);
			}
		}
		for (const [index, option] of area.options.entries()) {
			const { clientDescription, installerDescription } = option;
			const areaId = this.area(area)!.id;
			if (this.option(area, index) === undefined) {
				const texts = { clientDescription, internalNotes: installerDescription };
				await this.change({
					method: 'POST',
					path: place + path`/${areaId}/option`,
					form: toPascalCase(texts),
				});
			}
			const own = this.option(area, index);
			if (own === undefined) throw call.error(`Portal.io did not add an option to '${area.name}'`);
			for (const [part, name, wanted, present] of [
				['clientdescription', 'clientDescription', clientDescription, own.clientDescription],
				['installernotes', 'installerNotes', installerDescription, own.installerDescription],
			] as const) {
				if ((wanted ?? '') === (present ?? '')) continue;
				await this.set(
					path`/area/${areaId}/option/${own.id}/${part}`,
					toPascalCase({ [name]: wanted ?? '' }),
					{
						alternates: [
							{ path: path`/public/proposals/${this.copy.id!}/area-options/${own.id}/${part}` },
						],
					},
				);
			}
			await this.addItems(area, index, option.items ?? []);
			for (const one of differencesOf(option.items, this.option(area, index)!.items)) {
				const { itemId, part, name, value } = one;
				// Portal.io calls it a toggle: a second request could undo the first.
				const isRepeatable = name !== 'isCombinedPrice';
				const form = assumedFields({ [name]: value });
				await this.set(path`/items/${itemId}/${part}`, form, { isRepeatable });
			}
		}
	}

	/** Adds the items that an option lacks, those that others are nested under first. */
	private async addItems(area: Area, index: number, items: AreaItem[]): Promise<void> {
		for (let before = Infinity; ;) {
			const { id: areaOptionId, items: present } = this.option(area, index)!;
			const pairs = matchItems(items, present);
			const missing = items.filter(({ id }) => !pairs.has(id));
			if (missing.length === 0) return;
			if (missing.length === before) {
				throw this.call.error(`Portal.io did not add ${missing.length} items to '${area.name}'`);
			}
			before = missing.length;
			const isNested = ({ parentId }: AreaItem) => items.some(({ id }) => id === parentId);
			const next = missing.filter((item) => !isNested(item) || pairs.has(item.parentId!));
			await this.change({
				method: 'POST',
				path: path`/public/proposals/${this.copy.id!}/items`,
				form: assumedFields({
					areaOptionId,
					items: next.map(({ referencedItemId, itemType, quantity, parentId }) => ({
						itemId: referencedItemId,
						itemType,
						quantity,
						parentId: pairs.get(parentId!)?.id,
					})),
				}),
			});
		}
	}

	/** What differs between the items of the two proposals. */
	private differences(): Difference[] {
		return areasOf(this.source).flatMap((area) =>
			area.options.flatMap((option, index) =>
				differencesOf(option.items, this.option(area, index)?.items),
			),
		);
	}

	/** What no request copies, as far as the proposal has it. */
	private leftOut(): string {
		const { financialSummary, paymentSchedule } = this.source;
		return [
			'internal notes',
			'costs and suppliers',
			...(financialSummary?.partsDiscount ? ['discount'] : []),
			...(paymentSchedule?.payments?.length ? ['payment schedule'] : []),
		].join(', ');
	}

	/** Sets values, by a request that does no harm twice. */
	private async set(part: string, form: Fields, more: Partial<OperationRequest> = {}) {
		await this.change({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${this.copy.id!}` + part,
			form,
			...more,
		});
	}

	private async change(request: OperationRequest): Promise<void> {
		const response = await this.call.send({ ...request, followsCreation: true });
		// The response to an assignment may be empty.
		this.copy =
			isProposal(response) && response.id === this.copy.id && response.areas
				? response
				: await this.read();
	}

	private async read(): Promise<Partial<Proposal>> {
		return await readProposal(this.call.send, this.copy.id!);
	}

	/** The area of the copy with the name, which is unique in a proposal. */
	private area({ name }: Area): Area | undefined {
		return areasOf(this.copy).find((one) => nameOf(one.name) === nameOf(name));
	}

	/** The option of the copy in the same place. */
	private option(area: Area, index: number): AreaOption | undefined {
		return this.area(area)?.options.toSorted((one, other) => one.id - other.id)[index];
	}
}

const nameOf = (name: string) => name.trim().toLowerCase();
