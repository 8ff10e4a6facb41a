import { fileURLToPath } from 'node:url';

import { Eta } from 'eta';
import express, { Router, type RequestHandler, type Response } from 'express';

import type { Row } from '../database.mts';
import { setProposalStatus } from '../proposals.mts';
import { proposalDetail, proposalSummary } from '../views/proposal.mts';
import type { World } from '../world.mts';

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
	date: (iso: string) =>
		new Date(iso).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
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
	render(response, status, 'message', { title: 'This did not work', message });

/**
 * Refuses other host names, so that a site which resolves to 127.0.0.1 (DNS rebinding) gets
 * nothing.
 */
const ownHostOnly: RequestHandler = (request, response, next) => {
	if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) next();
	else refuse(response, 403, 'This page is only served to 127.0.0.1 and localhost.');
};

/**
 * Refuses forms of other sites (CSRF). Browsers send Origin or Sec-Fetch-Site with a POST; a client
 * that sends neither is not a browser and has no session to abuse.
 */
const sameSiteOnly: RequestHandler<{ id: string }> = (request, response, next) => {
	const { origin, host } = request.headers;
	const site = request.headers['sec-fetch-site'];
	const isForeign = origin !== undefined && origin !== `http://${host}`;
	if (isForeign || (site !== undefined && site !== 'same-origin')) {
		refuse(response, 403, 'The request came from another site.');
	} else next();
};

const headers: RequestHandler = (_request, response, next) => {
	response.set({
		'Content-Security-Policy':
			"default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		'X-Content-Type-Options': 'nosniff',
		// not no-referrer, which would set the Origin of our own forms to null
		'Referrer-Policy': 'same-origin',
		'Cache-Control': 'no-store',
	});
	next();
};

/**
 * The customer's pages, without login: `/` lists every proposal that was sent, `/proposals/{id}`
 * shows one and marks it as viewed, POST to its `/accept` or `/decline` decides. They are not those
 * of Portal.io; they exist to change statuses the way a customer would.
 */
export function customerPages(world: World): Router {
	const { database } = world;
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
	const move = (proposal: Row, status: string) =>
		database.transaction(() => setProposalStatus(world, Number(proposal.id), status));

	router.use(headers, ownHostOnly);
	router.get('/style.css', (_request, response) =>
		response.sendFile('style.css', { root: folder }),
	);

	router.get('/', (_request, response) => {
		const rows = database.all(
			`SELECT proposals.id, company_name FROM proposals
				JOIN accounts ON accounts.id = account_id
				WHERE parent_id IS NULL AND is_archived = 0 AND status <> 'Draft'
				ORDER BY last_modified_date DESC, proposals.id DESC`,
		);
		const proposals = rows.map((row) => ({
			...proposalSummary(database, Number(row.id)),
			dealer: row.company_name,
		}));
		render(response, 200, 'list', { title: 'Your proposals', proposals });
	});

	router.get('/proposals/:id', (request, response) => {
		const proposal = find(request.params.id, response);
		if (!proposal) return;
		if (proposal.status === 'Submitted') move(proposal, 'ViewedByClient');
		const detail = proposalDetail(database, Number(proposal.id));
		render(response, 200, 'proposal', { title: detail.name, proposal: detail });
	});

	const decide =
		(status: string): RequestHandler<{ id: string }> =>
		(request, response) => {
			const proposal = find(request.params.id, response);
			if (!proposal) return;
			if (!open.has(String(proposal.status))) {
				refuse(response, 409, `This proposal is ${proposal.status}: there is nothing to decide.`);
				return;
			}
			move(proposal, status);
			response.redirect(303, `/customer/proposals/${proposal.id}`);
		};
	router.use(express.urlencoded({ extended: false, limit: '1kb' }));
	router.post('/proposals/:id/accept', sameSiteOnly, decide('Accepted'));
	router.post('/proposals/:id/decline', sameSiteOnly, decide('Declined'));

	router.use((_request, response) => refuse(response, 404, 'There is no such page.'));
	return router;
}
