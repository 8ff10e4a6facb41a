/** The customer's side of a proposal, done over HTTP as a browser would do it. */
import axios from 'axios';
import assert from 'node:assert/strict';
import type { Simulator } from '../../simulator/index.mts';

/** Opens the proposal's page and sends the form on it that accepts the proposal. */
export async function acceptAsCustomer({ url }: Simulator, proposalId: number): Promise<void> {
	const page = await axios.get(`${url}/customer/proposals/${proposalId}`);
	const [, action] =
		/<form method="post" action="([^"]+)"><button[^>]*>Accept</.exec(page.data) ?? [];
	assert.ok(action, `the page of proposal ${proposalId} has a form to accept it`);
	const answer = await axios.post(`${url}${action}`, '', {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url },
	});
	assert.match(answer.data, />Accepted</, 'the page after accepting says so');
}
