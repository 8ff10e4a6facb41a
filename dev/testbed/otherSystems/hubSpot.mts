/**
 * HubSpot with one account, as far as the examples ask it: contacts and deals in the endpoints that
 * n8n's node uses, mostly those of version 1, and the search of version 3
 * (https://developers.hubspot.com/docs/api-reference/search/guide).
 */
import { Refusal, WebService, type Fields, type Records, type Route } from './system.mts';

const TOKEN = 'pat-na1-00000000-0000-4000-8000-000000000000';
const STAGES = 'qualifiedtobuy presentationscheduled contractsent closedwon closedlost'.split(' ');
const PROPERTIES = {
	contacts: 'email firstname lastname company phone address city state zip country'.split(' '),
	deals: 'dealname dealstage pipeline amount closedate description rooms hs_object_id'.split(' '),
};

type Kind = keyof typeof PROPERTIES;
type Values = Record<string, string>;

/** A contact or a deal; a deal has contacts. */
export interface Entry {
	id: number;
	properties: Values;
	contacts: number[];
}

interface Filter {
	propertyName: string;
	operator: string;
	value?: string | number;
}

interface Search {
	filterGroups?: { filters: Filter[] }[];
	limit?: number;
}

/** HubSpot. */
export class HubSpot extends WebService {
	readonly name = 'HubSpot';
	readonly hosts = ['api.hubapi.com'];
	protected readonly token = TOKEN;
	readonly credentials = [
		{
			name: 'HubSpot (simulated)',
			type: 'hubspotAppToken',
			nodes: ['n8n-nodes-base.hubspot'],
			data: { appToken: TOKEN },
		},
	];
	readonly deals: Entry[] = [];
	readonly contacts: Entry[] = [];
	/** It goes on after a reset, as n8n remembers earlier IDs. */
	#lastId = 7_001_000;

	protected readonly routes: Route[] = [
		[
			'POST',
			/^\/crm\/v3\/objects\/(contacts|deals)\/search$/,
			({ body }, kind) => this.#search(kind as Kind, body),
		],
		['POST', /^\/deals\/v1\/deal$/, ({ body }) => this.#createDeal(body)],
		['GET', /^\/deals\/v1\/deal\/(\d+)$/, (_asked, id) => dealAnswer(this.#get('deals', id!))],
		[
			'PUT',
			/^\/deals\/v1\/deal\/(\d+)$/,
			({ body }, id) =>
				dealAnswer(this.#change('deals', this.#get('deals', id!), named(body, 'name'))),
		],
		[
			'GET',
			/^\/contacts\/v1\/contact\/vid\/(\d+)\/profile$/,
			(_asked, id) => ({ vid: Number(id), properties: versionOne(this.#get('contacts', id!)) }),
		],
		[
			'POST',
			/^\/contacts\/v1\/contact\/createOrUpdate\/email\/([^/]+)$/,
			({ body }, email) => this.#upsertContact(email!, named(body, 'property')),
		],
	];

	constructor() {
		super();
		this.clear();
	}

	records(): Records {
		const shown = ({ id, properties, contacts }: Entry) => ({ id, ...properties, contacts });
		return { Deals: this.deals.map(shown), Contacts: this.contacts.map(shown) };
	}

	/** Adds a contact, as somebody would in HubSpot. Only one contact has an email. */
	addContact(values: Values): Entry {
		if (this.#withEmail(values.email))
			throw new Refusal(409, { message: 'Contact already exists' });
		return this.#add('contacts', values);
	}

	/** Adds a deal, as somebody would in HubSpot. It closes now if its stage says so. */
	addDeal(values: Values, contacts: number[] = []): Entry {
		const closed = values.dealstage?.startsWith('closed') && { closedate: String(Date.now()) };
		const deal = this.#add('deals', { pipeline: 'default', ...closed, ...values });
		return Object.assign(deal, { contacts });
	}

	/** There is a won deal to try the workflows with. */
	protected clear(): void {
		for (const list of [this.deals, this.contacts]) list.length = 0;
		const { id } = this.addContact({
			...{ firstname: 'Harper', lastname: 'Nakamura', email: 'harper.nakamura@clients.example' },
			...{
				phone: '303-555-0188',
				address: '9 Aspen Ridge',
				city: 'Golden',
				state: 'CO',
				zip: '80401',
			},
		});
		const values = { dealname: 'Nakamura media room', dealstage: 'closedwon', amount: '18500' };
		this.addDeal({ ...values, rooms: 'Media Room; Terrace' }, [id]);
	}

	protected readonly unauthorized = () =>
		new Refusal(401, { status: 'error', category: 'INVALID_AUTHENTICATION' });

	protected readonly notFound = () =>
		new Refusal(404, { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'Not found' });

	#add(kind: Kind, values: Values): Entry {
		this.#lastId += 1;
		const entry = { id: this.#lastId, properties: {}, contacts: [] };
		this.#change(kind, entry, { ...values, hs_object_id: String(this.#lastId) });
		this[kind].push(entry);
		return entry;
	}

	#change(kind: Kind, entry: Entry, values: Values): Entry {
		for (const name of Object.keys(values)) {
			const isKnown = name === 'hs_object_id' || PROPERTIES[kind].includes(name);
			if (!isKnown) throw invalid(`Property "${name}" does not exist`);
		}
		const { dealstage: stage, amount } = values;
		if (stage !== undefined && !STAGES.includes(stage)) throw invalid(`${stage} is no stage`);
		if (amount !== undefined && !/^-?\d+(\.\d+)?$/.test(amount))
			throw invalid(`${amount} is no number`);
		Object.assign(entry.properties, values);
		return entry;
	}

	#get(kind: Kind, id: string): Entry {
		const found = this[kind].find((one) => String(one.id) === id);
		if (!found) throw this.notFound();
		return found;
	}

	#withEmail(email: string | undefined): Entry | undefined {
		const wanted = email?.toLowerCase();
		return this.contacts.find(
			({ properties: { email: one } }) => one && one.toLowerCase() === wanted,
		);
	}

	#upsertContact(email: string, values: Values): object {
		const known = this.#withEmail(email);
		const all = { ...values, email };
		const { id: vid } = known ? this.#change('contacts', known, all) : this.addContact(all);
		return { vid, isNew: !known };
	}

	#createDeal(body: Fields): object {
		const { associatedVids: vids = [] } = (body.associations ?? {}) as {
			associatedVids?: number[];
		};
		for (const vid of vids) this.#get('contacts', String(vid));
		return dealAnswer(this.addDeal(named(body, 'name'), vids));
	}

	#search(kind: Kind, { filterGroups = [], limit = 10 }: Search): object {
		const groups = filterGroups.map(({ filters }) => filters.map((filter) => testOf(kind, filter)));
		const found = this[kind].filter((entry) =>
			groups.some((tests) => tests.every((test) => test(entry.properties))),
		);
		const results = found
			.slice(0, limit)
			.map(({ id, properties }) => ({ id: String(id), properties }));
		return { total: found.length, results };
	}
}

/** A test of a record; one without the property is found by no comparison. */
function testOf(kind: Kind, { propertyName: name, operator, value }: Filter) {
	if (!PROPERTIES[kind].includes(name)) throw invalid(`Property "${name}" does not exist`);
	if (value === undefined || value === '') throw invalid(`${name} needs a value`);
	const wanted = String(value).toLowerCase();
	const tests: Record<string, (actual: string) => boolean> = {
		EQ: (actual) => actual.toLowerCase() === wanted,
		GTE: (actual) => Number(actual) >= Number(wanted),
		// A token is a word.
		CONTAINS_TOKEN: (actual) => actual.toLowerCase().split(/\W+/).includes(wanted),
	};
	const test = tests[operator];
	if (!test) throw invalid(`${operator} is not a valid operator`);
	return (values: Values) => values[name] !== undefined && test(values[name]);
}

/** The values of a request of version 1: a list of names with values. */
function named(body: Fields, key: 'name' | 'property'): Values {
	const list = body.properties as { name?: string; property?: string; value?: unknown }[];
	if (!Array.isArray(list)) throw invalid('Invalid input JSON: properties is missing');
	return Object.fromEntries(list.map((one) => [one[key] ?? '', String(one.value ?? '')]));
}

const versionOne = ({ properties }: Entry) =>
	Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }]));

const dealAnswer = (deal: Entry) => ({
	dealId: deal.id,
	associations: { associatedVids: deal.contacts },
	properties: versionOne(deal),
});

const invalid = (message: string) =>
	new Refusal(400, { status: 'error', category: 'VALIDATION_ERROR', message });
