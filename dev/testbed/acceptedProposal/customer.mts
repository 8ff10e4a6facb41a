/** The customer's side of a proposal, done over HTTP as a browser would do it. */
import axios from 'axios';
import assert from 'node:assert/strict';
import type { Simulator } from '../../simulator/index.mts';

/**
 * Opens the proposal's page, chooses the given options (in other areas what the page suggests),
 * and accepts it on the page that asks whether to.
 */
export async function acceptAsCustomer(
	{ url }: Simulator,
	proposalId: number,
	optionIds: number[] = [],
): Promise<void> {
	const { data: page } = await axios.get<string>(`${url}/customer/proposals/${proposalId}`);
	assert.match(page, /<button[^>]* name="decision" value="accept">/, 'the page can be accepted');
	const query = new URLSearchParams({ ...choiceOn(page, optionIds), decision: 'accept' });
	const { data: question } = await axios.get<string>(`${url}${formOn(page, 'get')}?${query}`);
	const answer = await axios.post(`${url}${formOn(question, 'post')}`, hiddenFieldsOn(question), {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url },
	});
	assert.match(answer.data, />Accepted</, 'the page after accepting says so');
}

/** The address of the first form that a page sends by a method. */
function formOn(page: string, method: string): string {
	const [, action] = new RegExp(`<form method="${method}" action="([^"]+)"`).exec(page) ?? [];
	assert.ok(action, `the page has a form (${method})`);
	return action;
}

/** The radio buttons that are on after the given options were chosen. */
function choiceOn(page: string, optionIds: number[]): Record<string, string> {
	const choice: Record<string, string> = {};
	for (const [, name, value, rest] of page.matchAll(
		/<input type="radio" name="([^"]+)" value="([^"]+)"([^>]*)>/g,
	)) {
		const isChecked = rest!.includes('checked') && choice[name!] === undefined;
		if (isChecked || optionIds.includes(Number(value))) choice[name!] = value!;
	}
	const missing = optionIds.filter((id) => !Object.values(choice).includes(String(id)));
	assert.deepEqual(missing, [], 'options that the page does not let the customer choose');
	return choice;
}

function hiddenFieldsOn(page: string): string {
	const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g);
	return String(new URLSearchParams([...fields].map(([, name, value]) => [name!, value!])));
}
