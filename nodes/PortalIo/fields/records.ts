/** The ID of a record, or the reason for a missing one, as the end of a sentence about the field. */
export type Found = number | string;

/** Finds the records of an account by what people call them. */
export interface Records {
	/** By its number. */
	proposal(number: string): Promise<Found>;
	/** By its model, with or without the brand in front. */
	catalogItem(model: string, itemType: string): Promise<Found>;
	/** By its email address. */
	contact(email: string): Promise<Found>;
	/** By their email address. */
	salesperson(email: string): Promise<Found>;
	/** By its model, among the items of a proposal. */
	item(proposalId: number, model: string): Promise<Found>;
	/** By its name. */
	area(proposalId: number, name: string): Promise<Found>;
	/**
	 * By the name of its area, and its number where the area has several.
	 *
	 * @param missing what to do where the proposal has no such area
	 */
	areaOption(proposalId: number, name: string, missing: MissingArea): Promise<Found>;
}

/** An area that the proposal does not have is created, could be if the user wanted, or cannot be. */
export type MissingArea = 'create' | 'couldCreate' | 'refuse';
