import type { IExecuteFunctions } from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import type { Session } from '../../../client/session';
import { errorForItem } from './errorForItem';
import { findCatalogItem } from './findCatalogItem';
import { findProposal } from './findProposal';
import { ProposalAreas } from './proposalAreas';
import { referencesIn, replaceReferences, type Reference } from '../fields/reference';
import type { AnyValues, Operation } from '../operation/operation';

/** How many references of one input are looked up at a time. */
const LOOKUPS_AT_A_TIME = 5;

/** The ID of a record, why there is none, or why it could not be looked up. */
type Found = number | string | Error;

/** The records that the inputs of an execution give by what people call them, each looked up once. */
export class References {
	private readonly found = new Map<string, Promise<Found>>();

	private readonly context: IExecuteFunctions;
	private readonly session: Session;
	private readonly areas: ProposalAreas;

	constructor(context: IExecuteFunctions, session: Session) {
		this.context = context;
		this.session = session;
		this.areas = new ProposalAreas(session);
	}

	/**
	 * Looks up what the values of one input refer to, apart from areas: those may depend on what the
	 * inputs before it have created.
	 *
	 * @returns the values with IDs
	 * @throws FieldError for references without a record, NodeApiError when one cannot be looked up
	 */
	async lookUp(operation: Operation, values: AnyValues, itemIndex: number): Promise<AnyValues> {
		const sought = referencesIn(values).filter((one) => !isOfArea(one));
		if (sought.length === 0) return values;
		const found = new Map<Reference, Found>();
		await mapConcurrent(sought, LOOKUPS_AT_A_TIME, async (one) => {
			found.set(one, await this.find(one, itemIndex));
		});
		return this.replace(operation, values, found, itemIndex);
	}

	/** Looks up the areas of one input, which have to be asked for in the order of the inputs. */
	async lookUpAreas(
		operation: Operation,
		values: AnyValues,
		itemIndex: number,
	): Promise<AnyValues> {
		const sought = referencesIn(values);
		if (sought.length === 0) return values;
		const { proposalId, options = {} } = values as { proposalId: number; options?: object };
		const missing = {
			canCreate: 'createMissingArea' in options,
			creates: (options as { createMissingArea?: boolean }).createMissingArea === true,
		};
		const found = new Map<Reference, Found>();
		for (const one of sought) {
			const id = this.areas.find(proposalId, one, missing, itemIndex);
			found.set(one, await id.catch((error: Error) => error));
		}
		return this.replace(operation, values, found, itemIndex);
	}

	private async find(reference: Reference, itemIndex: number): Promise<Found> {
		const { kind, itemType, text } = reference;
		const key = `${kind} ${itemType} ${text}`;
		const search = () =>
			kind === 'proposal'
				? findProposal(this.session, text, itemIndex)
				: findCatalogItem(this.session, reference, itemIndex);
		const found = this.found.get(key) ?? search().catch((error: Error) => error);
		this.found.set(key, found);
		return await found;
	}

	private replace(
		{ fields }: Operation,
		values: AnyValues,
		found: Map<Reference, Found>,
		itemIndex: number,
	): AnyValues {
		const replaced = Object.entries(values).map(([name, value]) => {
			const label = fields.find((field) => field.name === name)!.displayName;
			const idOf = (reference: Reference) => {
				const id = found.get(reference) ?? reference;
				// Several inputs may share it.
				if (id instanceof Error) throw errorForItem(this.context, itemIndex, id);
				return id;
			};
			return [name, replaceReferences(value, label, idOf)];
		});
		return Object.fromEntries(replaced) as AnyValues;
	}
}

const isOfArea = ({ kind }: Reference) => kind === 'area' || kind === 'areaOption';
