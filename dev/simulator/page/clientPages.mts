import { join } from 'node:path';
import { Eta } from 'eta';
import express, { Router, type ErrorRequestHandler, type Response } from 'express';
import type { Row } from '../database.mts';
import { conflict, ServiceError } from '../errors.mts';
import { setProposalStatus } from '../proposals.mts';
import { accounts } from '../seedIds.mts';
import { proposalDetail } from '../serializers/proposal.mts';
import type { Json } from '../contract.mts';
import type { Context } from '../context.mts';

const eta = new Eta({ views: import.meta.dirname, cache: true });

const open = new Set(['Submitted', 'ViewedByClient']);

const labels: Record<string, string> = {
	Submitted: 'Waiting for you',
	ViewedByClient: 'Waiting for you',
	EmailFailed: 'Not delivered',
};

const fieldOf = (area: Json): string => `area-${area.id}`;

/** Returns the options in an area that the client can still choose. */
const openOptions = (area: Json): Json[] =>
	area.options.filter((option: Json) => option.status === 'Draft');

const hasChoice = (area: Json): boolean => openOptions(area).length > 1;

const isPayable = (status: string) => status === 'Submitted' || status === 'Viewed';

const helpers = {
	fieldOf,
	hasChoice,
	openOptions,
	isPayable,
	isOpen: (status: string) => open.has(status),
	label: (status: string) => labels[status] ?? status,
	date: (iso: string, dateStyle: 'medium' | 'long' = 'long') =>
		new Date(iso).toLocaleDateString('en-US', {
			dateStyle,
			timeZone: 'UTC',
		}),
	money: (
		amount: number,
		currency: {
			code: string;
		},
	) =>
		new Intl.NumberFormat('en-US', {
			style: 'currency',
			currency: currency.code,
		}).format(amount),
};

/**
 * Serves the client's page without a login. The page does not look like Portal.io's. Use it to change statuses as a
 * client would, and to look at drafts.
 *
 * `/` lists every proposal. `/proposals/{id}` shows a proposal and marks it as viewed. Below this path, POST requests
 * to `/accept` and `/decline` are the client's decision, and those to `/reopen` and `/pay` help to test events.
 */
export function clientPages(context: Context): Router {
	const { database, clock } = context;
	const router = Router();

	const render = (response: Response, template: string, data: object) =>
		response.type('html').send(eta.render(`./${template}`, { ...helpers, ...data }));

	/** Returns the proposal in the path. Responds with 404 to a draft, unless drafts are allowed. */
	const find = (id: unknown, { includesDrafts = false } = {}): Row => {
		const where = { id: Number(id), account_id: accounts.dealer, parent_id: null };
		const proposal = database.row('proposals', where);
		if (proposal && (proposal.status !== 'Draft' || includesDrafts)) return proposal;
		throw new ServiceError(404, 'There is no such proposal, or it has not been sent.');
	};
	const serializeDetail = ({ id }: Row): Json => proposalDetail(database, Number(id));
	const setStatus = ({ id }: Row, status: string) => setProposalStatus(context, Number(id), status);

	router.use('/style.css', express.static(join(import.meta.dirname, 'style.css')));

	router.get('/', (request, response) => {
		const where = { account_id: accounts.dealer, parent_id: null, is_archived: 0 };
		const rows = database.rows('proposals', where, 'last_modified_date DESC, id DESC');
		const [drafts, sent] = [true, false].map((isDraft) =>
			rows.map(serializeDetail).filter(({ status }) => (status === 'Draft') === isDraft),
		);
		const groups = { 'Sent to clients': sent, 'Drafts (hidden from clients)': drafts };
		const baseUrl = `${request.protocol}://${request.get('host')}`;
		render(response, 'list', { title: 'Proposals', baseUrl, groups });
	});

	router.get('/proposals/:id', (request, response) => {
		const row = find(request.params.id, { includesDrafts: true });
		if (row.status === 'Submitted') database.transaction(() => setStatus(row, 'ViewedByClient'));
		const proposal = serializeDetail(row);
		render(response, 'proposal', { title: proposal.name, proposal });
	});

	/**
	 * Adds a handler for a form on a proposal's page. The handler then shows the page `next`, by default the proposal.
	 */
	const post = (
		action: string,
		work: (proposal: Row, form: Record<string, unknown>) => void,
		next?: string,
	) =>
		router.post(
			`/proposals/:id/${action}`,
			express.urlencoded({ extended: false }),
			({ params: { id }, body = {} }, response) => {
				database.transaction(() => work(find(id), body));
				response.redirect(303, next ?? `/client/proposals/${id}`);
			},
		);

	const checkOpen = ({ status }: Row) => {
		if (open.has(String(status))) return;
		throw conflict(`This proposal is ${status}, so there is nothing to decide.`);
	};

	post('accept', (row, form) => {
		checkOpen(row);
		const columns = { status: 'Declined', last_modified_date: clock.iso() };
		for (const area of serializeDetail(row).areas.filter(hasChoice)) {
			const isChosen = (option: Json) => String(option.id) === form[fieldOf(area)];
			if (!openOptions(area).some(isChosen)) {
				throw new ServiceError(400, `Go back and choose one option for ${area.name}.`);
			}
			const others = openOptions(area).filter((option) => !isChosen(option));
			for (const option of others) database.update('area_options', option.id, columns);
		}
		setStatus(row, 'Accepted');
	});

	post('decline', (row) => {
		checkOpen(row);
		setStatus(row, 'Declined');
	});

	// Act as the dealer: return the proposal to Draft, which reopens all options, and submit it again. Don't show the
	// client's page afterward, because that would immediately mark the proposal as viewed.
	post(
		'reopen',
		(row) => {
			if (open.has(String(row.status))) throw conflict('This proposal is already open.');
			const columns = { status: 'Draft', last_modified_date: clock.iso() };
			const declined = { proposal_id: row.id, status: 'Declined' };
			for (const option of database.rows('placed_options', declined)) {
				database.update('area_options', option.id!, columns);
			}
			setStatus(row, 'Draft');
			setStatus(row, 'Submitted');
		},
		'/client',
	);

	// Mark the proposal as modified, because Portal.io has no event for a payment (assumed).
	post('pay', (row) => {
		const next = serializeDetail(row).paymentRequests.find(({ status }: Json) => isPayable(status));
		if (!next) throw conflict('This proposal has no payment that is due.');
		database.update('payment_requests', next.id, { status: 'Paid', payment_method: 'Card' });
		database.update('proposals', row.id!, { last_modified_date: clock.iso() });
	});

	router.use(() => {
		throw new ServiceError(404, 'This page does not exist.');
	});
	const onError: ErrorRequestHandler = (error, _request, response, _next) => {
		const { status = 500, message } = error as ServiceError;
		render(response.status(status), 'message', { title: 'This is not possible', message });
	};
	router.use(onError);
	return router;
}
