/** The properties of HubSpot's contacts and deals, and the stages of its default pipeline. */
import { badProperties } from './refusal.mts';

/** What HubSpot keeps. */
export type Kind = 'contacts' | 'deals';

interface Property {
	label: string;
	type: 'date' | 'datetime' | 'enumeration' | 'number' | 'string';
}

const text = (label: string): Property => ({ label, type: 'string' });
const time = (label: string): Property => ({ label, type: 'datetime' });

/** The properties that every account has, as far as the workflows and n8n's node use them. */
export const properties: Record<Kind, Record<string, Property>> = {
	contacts: {
		address: text('Street Address'),
		city: text('City'),
		company: text('Company Name'),
		country: text('Country/Region'),
		createdate: time('Create Date'),
		email: text('Email'),
		firstname: text('First Name'),
		hs_object_id: { label: 'Record ID', type: 'number' },
		lastmodifieddate: time('Last Modified Date'),
		lastname: text('Last Name'),
		phone: text('Phone Number'),
		state: text('State/Region'),
		zip: text('Postal Code'),
	},
	deals: {
		amount: { label: 'Amount', type: 'number' },
		closedate: time('Close Date'),
		createdate: time('Create Date'),
		dealname: text('Deal Name'),
		dealstage: { label: 'Deal Stage', type: 'enumeration' },
		description: text('Deal Description'),
		hs_lastmodifieddate: time('Last Modified Date'),
		hs_object_id: { label: 'Record ID', type: 'number' },
		pipeline: { label: 'Pipeline', type: 'enumeration' },
		// Not one of HubSpot's own: the dealer has added it.
		rooms: text('Rooms'),
	},
};

/** The stages of the pipeline that every account starts with. */
export const stages: Record<string, string> = {
	appointmentscheduled: 'Appointment Scheduled',
	qualifiedtobuy: 'Qualified To Buy',
	presentationscheduled: 'Presentation Scheduled',
	decisionmakerboughtin: 'Decision Maker Bought-In',
	contractsent: 'Contract Sent',
	closedwon: 'Closed Won',
	closedlost: 'Closed Lost',
};

/** What HubSpot writes itself. */
const readOnly = new Set(['createdate', 'hs_lastmodifieddate', 'hs_object_id', 'lastmodifieddate']);

/** Refuses values that HubSpot would refuse. Assumed: the wording of these refusals. */
export function check(kind: Kind, values: Record<string, string>): void {
	const problems = Object.entries(values).flatMap(([name, value]) => {
		const problem = problemOf(kind, name, value);
		return problem ? [{ isValid: false, name, ...problem }] : [];
	});
	if (problems.length > 0) throw badProperties(problems);
}

function problemOf(kind: Kind, name: string, value: string) {
	const property = properties[kind][name];
	if (!property) {
		return { error: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` };
	}
	if (readOnly.has(name)) return { error: 'READ_ONLY_VALUE', message: `${name} is read-only` };
	const allowed = { dealstage: Object.keys(stages), pipeline: ['default'] }[name];
	if (allowed && !allowed.includes(value)) {
		const message = `${value} was not one of the allowed options: [${allowed.join(', ')}]`;
		return { error: 'INVALID_OPTION', message };
	}
	if (property.type === 'number' && !/^-?\d+(\.\d+)?$|^$/.test(value)) {
		return { error: 'INVALID_DOUBLE', message: `${value} was not a valid number.` };
	}
	if (property.type === 'datetime' && !/^\d+$|^$/.test(value)) {
		return { error: 'INVALID_LONG', message: `${value} was not a valid long.` };
	}
	if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
		return { error: 'INVALID_EMAIL', message: `Email address ${value} is invalid` };
	}
	return undefined;
}
