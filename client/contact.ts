export const PARTY_TYPES = ['Company', 'Person'] as const;

export const CONTACT_TYPES = ['Client', 'Contractor', 'Employee', 'Other'] as const;

export interface Contact {
	id: number;
	firstName?: string | null;
	lastName?: string | null;
	companyName?: string | null;
	contactEmail?: string | null;
}
