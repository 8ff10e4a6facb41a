/**
 * HubSpot with one account: contacts, deals and the default pipeline. It answers what n8n's HubSpot
 * node asks: mostly the endpoints of version 1, and the search of version 3.
 */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { check, properties, stages, type Kind } from './hubSpot/properties.mts';
import { alreadyThere, invalid, notFound, Refusal, unauthorized } from './hubSpot/refusal.mts';
import { search, type Entry } from './hubSpot/search.mts';
import { OtherSystem, type Records } from './system.mts';

const KEY = 'pat-na1-00000000-0000-4000-8000-000000000000';
const PORTAL_ID = 62515;

type Values = Record<string, string>;

/** What the account starts with. */
const sample = {
	contact: {
		...{ firstname: 'Harper', lastname: 'Nakamura', email: 'harper.nakamura@clients.example' },
		...{
			phone: '303-555-0188',
			address: '9 Aspen Ridge',
			city: 'Golden',
			state: 'CO',
			zip: '80401',
		},
	},
	deal: {
		...{ dealname: 'Nakamura media room', dealstage: 'closedwon', amount: '18500' },
		rooms: 'Media Room; Terrace',
	},
};

/** A deal, with the contacts that belong to it and the stages that it has been in. */
export interface Deal extends Entry {
	contacts: number[];
	stages: string[];
}

interface NamedValue {
	name?: string;
	property?: string;
	value?: unknown;
}

/** HubSpot. */
export class HubSpot extends OtherSystem {
	readonly name = 'HubSpot';
	readonly hosts = ['api.hubapi.com'];
	readonly credentials = [
		{
			name: 'HubSpot (simulated)',
			type: 'hubspotAppToken',
			nodes: ['n8n-nodes-base.hubspot'],
			data: { appToken: KEY },
		},
	];
	readonly deals: Deal[] = [];
	readonly contacts: Entry[] = [];
	/** It goes on after a reset, as data tables may still hold earlier IDs. */
	#lastId = 7_001_000;

	constructor() {
		super();
		this.clear();
	}

	/** There is a deal to try the workflows with. */
	protected clear(): void {
		this.deals.length = 0;
		this.contacts.length = 0;
		const { id } = this.addContact(sample.contact);
		this.addDeal(sample.deal, [id]);
	}

	records(): Records {
		return {
			Deals: this.deals.map(({ id, properties, contacts, stages: been }) => {
				const { dealname: name, dealstage, amount, description } = properties;
				const stage = stages[dealstage ?? ''];
				const before = been.slice(0, -1).map((one) => stages[one]);
				return { id, name, stage, amount, description, contacts, 'earlier stages': before };
			}),
			Contacts: this.contacts.map(({ id, properties: values }) => {
				const { firstname, lastname, email, company, phone } = values;
				return { id, firstname, lastname, email, company, phone };
			}),
		};
	}

	/** Adds a contact, as somebody would in HubSpot. Only one contact has an email. */
	addContact(values: Values): Entry {
		const existing = this.#contactWithEmail(values.email);
		if (existing) throw alreadyThere(existing.id);
		check('contacts', values);
		const contact = { id: this.#nextId(), properties: {} };
		this.contacts.push(contact);
		return this.#change('contacts', contact, values);
	}

	/** Adds a deal, as somebody would in HubSpot. */
	addDeal(values: Values, contacts: number[] = []): Deal {
		check('deals', values);
		const deal: Deal = { id: this.#nextId(), properties: {}, contacts, stages: [] };
		this.deals.push(deal);
		return this.updateDeal(deal.id, { pipeline: 'default', ...values });
	}

	/** Changes a deal, as somebody would in HubSpot. It closes now unless the values say when. */
	updateDeal(id: number, values: Values): Deal {
		const deal = findIn(this.deals, id);
		const { dealstage: stage = '' } = values;
		const closes = stage.startsWith('closed') && stage !== deal.properties.dealstage;
		const closed = closes && { closedate: String(Date.now()) };
		this.#change('deals', deal, { ...closed, ...values });
		if (stage !== '' && deal.stages.at(-1) !== stage) deal.stages.push(stage);
		return deal;
	}

	/** Merges contacts into the first one, as somebody would in HubSpot. */
	mergeContacts(kept: number, ...merged: number[]): void {
		const rest = this.contacts.filter(({ id }) => !merged.includes(id));
		this.contacts.splice(0, Infinity, ...rest);
		for (const deal of this.deals) {
			const ids = deal.contacts.map((id) => (merged.includes(id) ? kept : id));
			deal.contacts = [...new Set(ids)];
		}
	}

	protected addRoutes(application: Express): void {
		application.use(this.#authenticate, express.json());
		this.#addSettings(application);
		this.#addContacts(application);
		this.#addDeals(application);
		application.post('/crm/v3/objects/:kind/search', ({ params: { kind }, body }, response) => {
			const entries = { contacts: this.contacts, deals: this.deals }[kind];
			if (!entries) throw notFound();
			response.json(search(kind as Kind, entries, body));
		});
		application.use(this.#noSuchAddress, this.#answerRefusal);
	}

	/** What fills the lists in the editor. */
	#addSettings(application: Express): void {
		application.get('/account-info/v3/details', (_request, response) => {
			response.json({ portalId: PORTAL_ID, accountType: 'STANDARD', timeZone: 'US/Mountain' });
		});
		application.get('/crm/v3/properties/:kind', ({ params: { kind } }, response) => {
			const results = Object.entries(properties[kind as Kind] ?? {});
			response.json({ results: results.map(([name, property]) => ({ name, ...property })) });
		});
		const list = (idName: string) =>
			Object.entries(stages).map(([id, label]) => ({ [idName]: id, label }));
		application.get('/crm-pipelines/v1/pipelines/deals', (_request, response) => {
			const pipeline = { pipelineId: 'default', label: 'Sales Pipeline', stages: list('stageId') };
			response.json({ results: [pipeline] });
		});
		application.get('/crm/v3/pipelines/deals', (_request, response) => {
			response.json({ results: [{ id: 'default', label: 'Sales Pipeline', stages: list('id') }] });
		});
	}

	#addContacts(application: Express): void {
		application.get('/contacts/v1/lists/all/contacts/all', (_request, response) => {
			response.json({ contacts: this.contacts.map(profile), 'has-more': false });
		});
		application.get('/contacts/v1/contact/vid/:id/profile', ({ params: { id } }, response) => {
			response.json(profile(findIn(this.contacts, id)));
		});
		const upsert = '/contacts/v1/contact/createOrUpdate/email/:email';
		application.post(upsert, ({ params: { email }, body }, response) => {
			const values = { ...valuesOf(body, 'property'), email };
			const existing = this.#contactWithEmail(email);
			const { id: vid } = existing
				? this.#change('contacts', existing, values)
				: this.addContact(values);
			response.json({ vid, isNew: !existing });
		});
		application.post('/crm/v3/objects/contacts', ({ body }, response) => {
			const { id, properties } = this.addContact(body.properties ?? {});
			response.status(201).json({ id: String(id), properties, archived: false });
		});
	}

	#addDeals(application: Express): void {
		application.get('/deals/v1/deal/paged', (_request, response) => {
			response.json({ deals: this.deals.map(dealAnswer), hasMore: false, offset: 0 });
		});
		application.post('/deals/v1/deal', ({ body }, response) => {
			const vids: unknown[] = body.associations?.associatedVids ?? [];
			// HubSpot creates the deal nevertheless, and names what it could not associate.
			const [known, unknown] = [true, false].map((wanted) =>
				vids.map(Number).filter((vid) => this.contacts.some(({ id }) => id === vid) === wanted),
			);
			const deal = this.addDeal(valuesOf(body, 'name'), known);
			const failures = unknown!.map((vid) => ({ id: vid, message: 'CONTACT does not exist' }));
			response.json({
				...dealAnswer(deal),
				...(failures.length > 0 && { associationCreateFailures: failures }),
			});
		});
		const one = '/deals/v1/deal/:id';
		application.get(one, ({ params: { id } }, response) => {
			response.json(dealAnswer(findIn(this.deals, id)));
		});
		application.put(one, ({ params: { id }, body }, response) => {
			response.json(dealAnswer(this.updateDeal(Number(id), valuesOf(body, 'name'))));
		});
	}

	#change<T extends Entry>(kind: Kind, entry: T, values: Values): T {
		check(kind, values);
		const now = String(Date.now());
		const modified = kind === 'deals' ? 'hs_lastmodifieddate' : 'lastmodifieddate';
		const own = { hs_object_id: String(entry.id), [modified]: now };
		entry.properties = { createdate: now, ...entry.properties, ...values, ...own };
		return entry;
	}

	#contactWithEmail(email: string | undefined): Entry | undefined {
		const wanted = email?.toLowerCase();
		return this.contacts.find(
			({ properties }) => properties.email && properties.email.toLowerCase() === wanted,
		);
	}

	#nextId(): number {
		return (this.#lastId += 1);
	}

	readonly #authenticate: RequestHandler = ({ headers }, _response, next) => {
		if (headers.authorization !== `Bearer ${KEY}`) throw unauthorized();
		next();
	};

	readonly #noSuchAddress: RequestHandler = () => {
		throw notFound();
	};

	readonly #answerRefusal: ErrorRequestHandler = (error, _request, response, next) => {
		if (error instanceof Refusal) response.status(error.status).json(error.body);
		else next(error);
	};
}

function findIn<T extends Entry>(entries: T[], id: unknown): T {
	const found = entries.find((one) => String(one.id) === String(id));
	if (!found) throw notFound();
	return found;
}

/** The values of a request of version 1: a list of names with values. */
function valuesOf(body: { properties?: NamedValue[] } | undefined, key: 'name' | 'property') {
	if (!Array.isArray(body?.properties)) throw invalid('Invalid input JSON: properties is missing');
	const entries = body.properties.map((one): [string, string] => {
		const name = one[key];
		if (name === undefined) throw invalid(`Invalid input JSON: ${key} is missing`);
		return [name, String(one.value ?? '')];
	});
	return Object.fromEntries(entries);
}

/** The properties as version 1 answers them: only those with a value. */
const named = ({ properties: values }: Entry) =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([, value]) => value !== '')
			.map(([name, value]) => [name, { value }]),
	);

const profile = (contact: Entry) => ({
	vid: contact.id,
	'portal-id': PORTAL_ID,
	'is-contact': true,
	properties: named(contact),
});

const dealAnswer = (deal: Deal) => ({
	portalId: PORTAL_ID,
	dealId: deal.id,
	isDeleted: false,
	associations: { associatedVids: deal.contacts, associatedCompanyIds: [], associatedDealIds: [] },
	properties: named(deal),
});
