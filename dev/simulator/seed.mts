import { readFileSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import { parse } from 'yaml';
import type { Json } from './contract.mts';
import type { Database } from './database.mts';
import { catalogColumns } from './items.mts';
import { toQuantity } from './money.mts';
import { nextNumber } from './proposals.mts';
import * as ids from './seedIds.mts';

type Value = SQLInputValue;
type Rows =
	| Record<string, Value>[]
	| { every?: Record<string, Value>; columns: string[]; rows: Value[][] };

const { proposals, ...tables } = parse(
	readFileSync(new URL('seed.yaml', import.meta.url), 'utf8'),
) as { proposals: Json[] } & Record<string, Rows>;

function readRows(table: string): Record<string, Value>[] {
	const declaration = tables[table]!;
	if (Array.isArray(declaration)) return declaration;
	const { every, columns, rows } = declaration;
	return rows.map((row) => ({
		...every,
		...Object.fromEntries(columns.map((column, index) => [column, row[index]!])),
	}));
}

function credentialsOf(userId: number) {
	const [application] = readRows('applications');
	const user = readRows('users').find(({ id }) => id === userId)!;
	return {
		appKey: String(application!.app_key),
		// This is valid Base64, although the key is the text itself and must not be decoded.
		secretKey: String(application!.secret_key),
		username: String(user.email),
		password: String(user.password),
	};
}

/** IDs in the initial data, and the credentials of the users that tests log in. */
export const seed = {
	...ids,
	dealer: credentialsOf(ids.users.dealer),
	unverified: credentialsOf(ids.users.unverified),
	lapsed: credentialsOf(ids.users.lapsed),
	restricted: credentialsOf(ids.users.restricted),
	otherDealer: credentialsOf(ids.users.otherDealer),
};

/** First IDs, far enough apart that a mix-up is noticed. */
const FIRST_IDS = {
	areas: 12_000,
	area_options: 23_000,
	proposal_items: 700_000,
	subscriptions: 400,
	ai_contents: 92_000,
	ai_outlines: 96_000,
};

const DAY_MS = 24 * 3600 * 1000;

/** Fills an empty database. Dates are counted back from `today`, a day as `YYYY-MM-DD`. */
export function insertSeed(database: Database, today: string): void {
	const start = Date.parse(`${today}T00:00:00.000Z`);
	const daysAgo = (days: number, time = '12:00') =>
		new Date(start - days * DAY_MS).toISOString().replace('00:00', time);
	const dated = (value: Value) => {
		const [, days, time] = /^(\d+) days ago at (\d\d:\d\d)$/.exec(String(value)) ?? [];
		return days === undefined ? value : daysAgo(Number(days), time);
	};
	const insertRows = (table: string) => {
		for (const row of readRows(table)) {
			const entries = Object.entries(row).filter(([, value]) => value !== null);
			const values = entries.map(([column, value]) => [column, dated(value)] as const);
			const image_url = `https://catalog.example/images/${row.id}.jpg`;
			const image = row.item_type === 'Part' ? { image_url } : {};
			database.insert(table, { ...image, ...Object.fromEntries(values) });
		}
	};
	for (const [table, first] of Object.entries(FIRST_IDS)) {
		database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, first);
	}
	for (const table of Object.keys(tables)) {
		if (!LATER.includes(table)) insertRows(table);
	}
	for (const one of proposals) insertProposal(database, daysAgo, one);
	LATER.forEach(insertRows);
}

/** Tables that are filled last, because their rows belong to proposals. */
const LATER = ['scheduled_payments', 'payment_requests', 'ai_contents', 'ai_outlines'];

/** Dates, each with the statuses that imply it. An implied date is that of the last modification. */
const impliedBy = {
	client_last_opened_date: ['ViewedByClient', 'Accepted', 'Declined'],
	client_last_decision_date: ['Accepted', 'Declined', 'Completed'],
	last_completed_date: ['Completed'],
};

function insertProposal(database: Database, daysAgo: (days: number) => string, one: Json): void {
	const { daysAgo: days, submittedDaysAgo, areas = [], ...columns } = one;
	const { account_id, id, status } = columns;
	const [created, byUser, modified] = days.map((count: number) => daysAgo(count));
	const dates = Object.entries(impliedBy).filter(([, statuses]) => statuses.includes(status));
	const submitted = submittedDaysAgo ? daysAgo(submittedDaysAgo) : modified;
	const isDealers = account_id === ids.accounts.dealer;
	const owner = columns.sales_person_id ?? ids.users[isDealers ? 'dealer' : 'otherDealer'];
	database.insert('proposals', {
		number: nextNumber(database, account_id),
		created_date: created,
		last_modified_date: modified,
		last_modified_by_user_date: byUser,
		last_modified_user_id: owner,
		...Object.fromEntries(dates.map(([column]) => [column, modified])),
		last_submitted_date: status === 'Draft' ? undefined : submitted,
		...columns,
		sales_person_id: owner,
	});
	for (const { name, options } of areas) {
		const areaId = database.insert('areas', { proposal_id: id, name });
		for (const { items, ...more } of options) {
			const option = { area_id: areaId, last_modified_date: byUser, ...more };
			const optionId = database.insert('area_options', option);
			for (const item of items) insertItem(database, optionId, item, created);
		}
	}
}

function insertItem(
	database: Database,
	optionId: number,
	[ref, quantity, { nested = [], ...columns } = {}]: Json,
	day: string,
	parentId?: number,
): void {
	const source = database.row('catalog_items', { id: ref });
	if (!source) throw new Error(`no catalog item ${ref}`);
	const id = database.insert('proposal_items', {
		...catalogColumns(database, source, day),
		option_id: optionId,
		parent_id: parentId,
		quantity: toQuantity(quantity),
		created_date: day,
		...columns,
	});
	for (const one of nested) insertItem(database, optionId, one, day, id);
}
