import { fileURLToPath } from 'node:url';

import { Eta } from 'eta';
import express, { Router, type Response } from 'express';

import type { Row } from '../database.mts';
import { acceptProposal, isPayable, payRequest, reopenProposal } from '../customerActions.mts';
import { setProposalStatus } from '../proposals.mts';
import { proposalDetail } from '../serializers/proposal.mts';
import type { Json } from '../json.mts';
import type { Context } from '../context.mts';
import { fieldOf, hasChoice, openOptions, readChoice, withFirstOptions } from './choice.mts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const eta = new Eta({ views: folder, cache: true });

/** States in which the customer can decide. */
const open = new Set(['Submitted', 'ViewedByClient']);

/** The labels of statuses for customers. */
const labels: Record<string, string> = {
	Submitted: 'Waiting for you',
	ViewedByClient: 'Waiting for you',
	EmailFailed: 'Not delivered',
	Delayed: 'Delayed',
};

const helpers = {
	isOpen: (status: string) => open.has(status),
	label: (status: string) => labels[status] ?? status,
	date: (iso: string, dateStyle: 'medium' | 'long' = 'long') =>
		new Date(iso).toLocaleDateString('en-US', { dateStyle, timeZone: 'UTC' }),
	fieldOf,
	hasChoice,
	openOptions,
	isPayable,
	money: (amount: number, currency: { code: string }) =>
		new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.code }).format(amount),
};

function render(response: Response, status: number, template: string, data: object): void {
	response
		.status(status)
		.type('html')
		.send(eta.render(`./${template}`, { ...helpers, ...data }));
}

const refuse = (response: Response, status: number, message: string) =>
	render(response, status, 'message', { title: 'This is not possible', message });

const refuseChoice = (response: Response, areas: string[]) =>
	refuse(response, 400, `Go back and choose one option for ${areas.join(', ')}.`);

/**
 * The customer's pages, without login. They are not those of Portal.io; they exist to change
 * statuses the way a customer would.
 *
 * `/` lists every proposal that was sent, `/proposals/{id}` shows one and marks it as viewed, and
 * its `/confirm` asks before POST to its `/accept` or `/decline` decides. POST to `/reopen` and
 * `/pay` does what is useful for trying events.
 */
export function customerPages(context: Context): Router {
	const { database } = context;
	const router = Router();

	/** The proposal of the path if the customer can see it; otherwise responds with 404. */
	const find = (id: string | undefined, response: Response): Row | undefined => {
		const proposal = database.get(
			`SELECT * FROM proposals WHERE id = ? AND parent_id IS NULL AND status <> 'Draft'`,
			Number(id),
		);
		if (!proposal) refuse(response, 404, 'There is no such proposal, or it has not been sent.');
		return proposal;
	};
	/** Like find; responds with 409 unless the customer can decide. */
	const findOpen = (id: string | undefined, response: Response): Row | undefined => {
		const proposal = find(id, response);
		if (!proposal || open.has(String(proposal.status))) return proposal;
		refuse(response, 409, `This proposal is ${proposal.status}: there is nothing to decide.`);
		return undefined;
	};
	const detailOf = ({ id }: Row, declined?: number[]): Json =>
		proposalDetail(database, Number(id), declined);

	router.get('/style.css', (_request, response) =>
		response.sendFile('style.css', { root: folder }),
	);

	router.get('/', (_request, response) => {
		const rows = database.all(
			`SELECT id FROM proposals
				WHERE parent_id IS NULL AND is_archived = 0 AND status <> 'Draft'
				ORDER BY last_modified_date DESC, id DESC`,
		);
		const proposals = rows.map((row) => detailOf(row));
		render(response, 200, 'list', { title: 'Your proposals', proposals });
	});

	router.get('/proposals/:id', (request, response) => {
		const row = find(request.params.id, response);
		if (!row) return;
		if (row.status === 'Submitted') {
			database.transaction(() => setProposalStatus(context, Number(row.id), 'ViewedByClient'));
		}
		const proposal = detailOf(row);
		const form = withFirstOptions(proposal.areas, request.query);
		const { fields, declined } = readChoice(proposal.areas, form);
		const sums = detailOf(row, open.has(proposal.status) ? declined : []);
		render(response, 200, 'proposal', { title: proposal.name, proposal, fields, sums });
	});

	router.get('/proposals/:id/confirm', (request, response) => {
		const row = findOpen(request.params.id, response);
		if (!row) return;
		const isAccepting = request.query.decision === 'accept';
		const { areas } = detailOf(row);
		const { fields, declined, missing } = readChoice(areas, request.query);
		if (isAccepting && missing.length > 0) return refuseChoice(response, missing);
		const proposal = detailOf(row, declined);
		const title = `${isAccepting ? 'Accept' : 'Decline'} this proposal?`;
		const back = `/customer/proposals/${row.id}?${new URLSearchParams(fields)}`;
		const data = { title, proposal, sums: proposal, fields, isAccepting, back };
		render(response, 200, 'confirm', data);
	});

	router.use(express.urlencoded({ extended: false, limit: '10kb' }));

	router.post('/proposals/:id/accept', (request, response) => {
		const row = findOpen(request.params.id, response);
		if (!row) return;
		const { areas } = detailOf(row);
		const { declined, missing } = readChoice(areas, request.body ?? {});
		if (missing.length > 0) return refuseChoice(response, missing);
		database.transaction(() => acceptProposal(context, Number(row.id), declined));
		response.redirect(303, `/customer/proposals/${row.id}`);
	});

	router.post('/proposals/:id/decline', (request, response) => {
		const row = findOpen(request.params.id, response);
		if (!row) return;
		database.transaction(() => setProposalStatus(context, Number(row.id), 'Declined'));
		response.redirect(303, `/customer/proposals/${row.id}`);
	});

	router.post('/proposals/:id/reopen', (request, response) => {
		const row = find(request.params.id, response);
		if (!row) return;
		if (open.has(String(row.status))) {
			refuse(response, 409, 'This proposal is open already.');
			return;
		}
		database.transaction(() => reopenProposal(context, Number(row.id)));
		// not to its page, which would mark it as viewed at once
		response.redirect(303, '/customer');
	});

	router.post('/proposals/:id/pay', (request, response) => {
		const row = find(request.params.id, response);
		if (!row) return;
		const next = detailOf(row).paymentRequests.find(({ status }: Json) => isPayable(status));
		if (!next) {
			refuse(response, 409, 'No payment of this proposal is due.');
			return;
		}
		database.transaction(() => payRequest(context, Number(row.id), next.id));
		response.redirect(303, `/customer/proposals/${row.id}`);
	});

	router.use((_request, response) => refuse(response, 404, 'There is no such page.'));
	return router;
}
