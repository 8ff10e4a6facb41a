/**
 * Simulates HubSpot with one account, limited to what the examples use: contacts and deals at the endpoints of
 * n8n's node, mostly version 1, and the search of version 3
 * (https://developers.hubspot.com/docs/api-reference/search/guide).
 */
import type { Json } from '../../simulator/contract.mts';
import { addRecord, notFound, Refusal, webService } from './system.mts';

const STAGES = 'qualifiedtobuy presentationscheduled contractsent closedwon closedlost'.split(' ');
const PROPERTIES = {
	contacts: 'email firstname lastname company phone address city state zip country'.split(' '),
	deals: 'dealname dealstage pipeline amount closedate description hs_object_id'.split(' '),
};

type Kind = keyof typeof PROPERTIES;
type Values = Record<string, string>;

/** Contact or deal. Only a deal has contacts. */
interface Entry {
	id: number;
	properties: Values;
	contacts: number[];
}

const invalid = (message: string) =>
	new Refusal(400, { status: 'error', category: 'VALIDATION_ERROR', message });

export function createHubSpot() {
	const entries: Record<Kind, Entry[]> = { deals: [], contacts: [] };
	/** Last ID. It is not reset, because n8n remembers previous IDs. */
	let lastId = 7_001_000;

	const get = (kind: Kind, id: string): Entry => {
		const entry = entries[kind].find((one) => String(one.id) === id);
		if (!entry) throw notFound;
		return entry;
	};

	const change = (kind: Kind, entry: Entry, values: Values): Entry => {
		for (const name of Object.keys(values)) checkProperty(kind, name);
		const { dealstage: stage } = values;
		if (stage !== undefined && !STAGES.includes(stage)) throw invalid(`${stage} is no stage`);
		Object.assign(entry.properties, values);
		return entry;
	};

	const add = (kind: Kind, values: Values, contacts: number[] = []): Entry => {
		lastId += 1;
		const id = kind === 'deals' && { hs_object_id: String(lastId) };
		const entry = { id: lastId, properties: {}, contacts };
		return addRecord(entries[kind], change(kind, entry, { ...values, ...id }));
	};

	/**
	 * Adds a deal as a person would in HubSpot. Sets its close date to now if its stage means that the deal is closed.
	 */
	const addDeal = (values: Values, contacts: number[] = []): Entry => {
		const closed = values.dealstage?.startsWith('closed') && { closedate: String(Date.now()) };
		return add('deals', { pipeline: 'default', ...closed, ...values }, contacts);
	};

	const search = (kind: Kind, { filterGroups = [], limit = 10 }: Json): object => {
		const groups: Test[][] = filterGroups.map(({ filters }: Json) =>
			filters.map((filter: Json) => createTest(kind, filter)),
		);
		const matches = entries[kind].filter(({ properties }) =>
			groups.some((tests) => tests.every((test) => test(properties))),
		);
		const results = matches.map(({ id, properties }) => ({ id: String(id), properties }));
		return { total: matches.length, results: results.slice(0, limit) };
	};

	const service = webService('hubSpot', {
		records: { Deals: entries.deals, Contacts: entries.contacts },
		routes: {
			'POST /crm/v3/objects/deals/search': ({ body }) => search('deals', body),
			'POST /deals/v1/deal': ({ body }) => {
				const contacts: number[] = body.associations?.associatedVids ?? [];
				for (const vid of contacts) get('contacts', String(vid));
				return serializeDeal(addDeal(readValues(body, 'name'), contacts));
			},
			'GET /deals/v1/deal/:id': (_asked, { id }) => serializeDeal(get('deals', id!)),
			'PUT /deals/v1/deal/:id': ({ body }, { id }) =>
				serializeDeal(change('deals', get('deals', id!), readValues(body, 'name'))),
			'GET /contacts/v1/contact/vid/:id/profile': (_asked, { id }) => ({
				vid: Number(id),
				properties: versionOne(get('contacts', id!)),
			}),
			// Update the existing contact if there is one, because an email address can belong to only one contact.
			'POST /contacts/v1/contact/createOrUpdate/email/:email': ({ body }, { email }) => {
				if (!email!.includes('@')) throw invalid('Email address is invalid');
				const values = { ...readValues(body, 'property'), email: email! };
				const existing = entries.contacts.find(
					({ properties }) => properties.email?.toLowerCase() === email!.toLowerCase(),
				);
				const { id } = existing ? change('contacts', existing, values) : add('contacts', values);
				return { vid: id, isNew: !existing };
			},
		},
		fill: ({ contact, deal }) => addDeal(deal, [add('contacts', contact).id]),
	});
	/** Adds a contact as a person would in HubSpot. */
	const addContact = (values: Values): Entry => add('contacts', values);

	return { ...service, ...entries, addContact, addDeal };
}

function checkProperty(kind: Kind, name: string): void {
	if (!PROPERTIES[kind].includes(name)) throw invalid(`Property "${name}" does not exist`);
}

/** Tests a record. No comparison matches a record without the property. */
type Test = (values: Values) => boolean;

function createTest(kind: Kind, { propertyName: name, operator, value }: Json): Test {
	checkProperty(kind, name);
	if (value === undefined || value === '') throw invalid(`${name} needs a value`);
	const values = String(value).toLowerCase();
	const tests: Record<string, (actual: string) => boolean> = {
		EQ: (actual) => actual.toLowerCase() === values,
		GTE: (actual) => Number(actual) >= Number(values),
	};
	return (values) => values[name] !== undefined && tests[operator]!(values[name]);
}

/** Reads the values in a request of version 1, which contains a list of names with values. */
const readValues = ({ properties }: Json, key: 'name' | 'property'): Values =>
	Object.fromEntries(properties.map((one: Json) => [one[key], String(one.value ?? '')]));

const versionOne = ({ properties }: Entry) =>
	Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }]));

const serializeDeal = (deal: Entry) => ({
	dealId: deal.id,
	associations: { associatedVids: deal.contacts },
	properties: versionOne(deal),
});
