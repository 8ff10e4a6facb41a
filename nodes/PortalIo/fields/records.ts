/** The ID of a record, or the reason for a missing one, as the end of a sentence about the field. */
export type Found = number | string;

/** Finds the records of an account by what people call them. */
export interface Records {
	proposal(number: string): Promise<Found>;
	/** By its model, with or without the brand in front. */
	catalogItem(model: string, itemType: string): Promise<Found>;
	contact(email: string): Promise<Found>;
	salesperson(email: string): Promise<Found>;
	item(proposalId: number, model: string): Promise<Found>;
	area(proposalId: number, name: string): Promise<Found>;
	/** By the name of its area, and by its number if the area has several. */
	areaOption(proposalId: number, name: string, missing: MissingArea): Promise<Found>;
}

/** For a missing area: create it, suggest the option that would create it, or only report it. */
export type MissingArea = 'create' | 'couldCreate' | 'refuse';
