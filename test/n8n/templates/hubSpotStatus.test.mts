/**
 * The template that moves HubSpot deals, in the real n8n, over its own HubSpot node. What it must have
 * written is counted in the stand-in; amounts are worked out from the seed of the simulator, in cents.
 */
import { describe, expect, test } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import { until } from '../../../testbed/until.mts';
import { redeliver } from '../delivery.mts';
import { ownStage } from '../stages.mts';
import { STATUS, Templates } from './hubSpot.mts';

const { accepted, declined, delayed, expired, staleOffice } = seed.proposals;
const { submitted, submittedToo, viewed } = seed.proposals;
const stage = ownStage({ examples: [STATUS] });
const templates = new Templates(stage);
const control = () => stage().simulator.control;

/** Colorado's sales tax, in thousandths of a percent, on an amount in cents. */
const coloradoTax = (cents: number) => Math.round((cents * 7650) / 100_000);

/** Six shades, a track, a processor and nine hours; without a state there is no tax. */
const castellan = (6 * 78_000 + 146_000 + 69_000 + 9 * 12_500) / 100;

describe('the status of a proposal', () => {
	test('moves one deal with its contact through the pipeline', async () => {
		const { n8n, simulator } = stage();
		await n8n.activate(templates.status);
		const reaches = async (proposalStatus: string, dealStage: string) => {
			control().setStatus(viewed, proposalStatus);
			await until(`the deal in ${dealStage}`, () => {
				const [deal] = templates.dealsOf(viewed);
				return deal?.properties.dealstage === dealStage || undefined;
			});
		};
		await reaches('Submitted', 'contractsent');
		await reaches('Accepted', 'closedwon');
		await until('the end', async () => {
			const [job] = (await templates.jobs('hubspot-stage', viewed)).slice(-1);
			return (job?.version === `Accepted ${castellan}` && job.state === 'done') || undefined;
		});

		// The event of the submission once more, after the acceptance: the deal stays won.
		const isSubmission = ({ body }: { body?: unknown }) => {
			const { data } = JSON.parse(String(body));
			return data.id === viewed && data.status === 'Submitted';
		};
		const late = JSON.parse(String(control().deliveries().find(isSubmission)!.body));
		const finished = () => n8n.executions({ workflowId: templates.status.id }).length;
		const before = finished();
		expect(await redeliver(stage(), JSON.stringify({ ...late, id: 'evt_late' }))).toBe(200);
		await until('the execution', () => finished() > before || undefined);
		await n8n.deactivate(templates.status);
		await simulator.control.idle();

		const [, contact, ...otherContacts] = templates.hubSpot.contacts;
		expect(otherContacts).toEqual([]);
		expect(contact).toMatchObject({
			properties: {
				email: 'wren.castellan@clients.example',
				firstname: 'Wren',
				lastname: 'Castellan',
			},
		});
		const [deal, ...others] = templates.dealsOf(viewed);
		expect(others).toEqual([]);
		expect(deal).toMatchObject({
			contacts: [contact!.id],
			stages: ['contractsent', 'closedwon'],
			properties: {
				dealname: `${templates.numberOf(viewed)} Castellan shades`,
				amount: String(castellan),
			},
		});
		expect(await templates.linkOf(viewed)).toEqual([String(deal!.id)]);
	});

	test('keeps a won deal won when the proposal is reopened, until it is declined', async () => {
		const [deal] = templates.dealsOf(viewed);
		for (const status of ['Draft', 'Submitted', 'ViewedByClient']) {
			await templates.setStatus(viewed, status);
			expect(deal!.properties).toMatchObject({ dealstage: 'closedwon', amount: String(castellan) });
		}
		await templates.setStatus(viewed, 'Declined');
		expect(deal!.properties.dealstage).toBe('closedlost');
		await templates.setStatus(viewed, 'Draft');
		await templates.setStatus(viewed, 'Submitted');
		await templates.setStatus(viewed, 'Accepted');
		const path = ['contractsent', 'closedwon', 'closedlost', 'contractsent', 'closedwon'];
		expect(deal!.stages).toEqual(path);
		expect(templates.dealsOf(viewed)).toHaveLength(1);
	});

	test('leaves a deal where somebody moved it, until the status changes', async () => {
		await templates.setStatus(expired, 'Submitted');
		const [deal] = templates.dealsOf(expired);
		templates.hubSpot.updateDeal(deal!.id, { dealstage: 'decisionmakerboughtin' });
		await templates.look(expired);
		expect(deal!.properties.dealstage).toBe('decisionmakerboughtin');
		await templates.setStatus(expired, 'Declined');
		expect(deal!.properties.dealstage).toBe('closedlost');
	});

	test('creates one deal when it is told twice at once', async () => {
		control().setStatus(delayed, 'Submitted');
		await Promise.all([templates.look(delayed), templates.look(delayed)]);
		expect(templates.dealsOf(delayed)).toHaveLength(1);
		const isMenon = ({ properties }: { properties: Record<string, string> }) =>
			properties.lastname === 'Menon';
		expect(templates.hubSpot.contacts.filter(isMenon)).toHaveLength(1);
	});

	test('writes the amount of the accepted change orders too', async () => {
		await templates.look(accepted);
		const parts = 299_900 + 219_900 + 5 * 44_900;
		const labor = 10 * 12_500;
		const total = parts + labor + coloradoTax(parts) + coloradoTax(labor);
		const second = 42_000 + coloradoTax(42_000);
		const amount = () => templates.dealsOf(accepted).map(({ properties }) => properties.amount);
		expect(amount()).toEqual([String((total + second) / 100)]);

		// Another change order is accepted: a subwoofer with an hour and a quarter.
		control().setStatus(seed.changeOrders.draft, 'Accepted');
		await templates.look(accepted);
		const hours = 1.25 * 12_500;
		const third = 119_900 + hours + coloradoTax(119_900) + coloradoTax(hours);
		expect(amount()).toEqual([String((total + second + third) / 100)]);
		expect(templates.dealsOf(accepted)).toMatchObject([{ stages: ['closedwon'] }]);
	});

	test('holds a proposal whose customer could be several contacts, and goes on later', async () => {
		const { hubSpot } = templates;
		const twins = ['office', 'sales'].map((name) =>
			hubSpot.addContact({ email: `${name}@quarrystreet.example`, company: 'Quarry Street' }),
		);
		const [one, other] = twins.map(({ id }) => id) as [number, number];
		await templates.setStatus(submittedToo, 'ViewedByClient');
		await templates.look(submittedToo);
		expect(templates.dealsOf(submittedToo)).toEqual([]);
		const [job, ...others] = await templates.jobs('hubspot-stage', submittedToo);
		expect(others).toEqual([]);
		expect(job).toMatchObject({
			state: 'held',
			reason:
				'Several HubSpot contacts fit Quarry Street Hospitality, theo@quarrystreet.example: ' +
				`${other}, ${one}. Merge those that are the same, or create the deal yourself and ` +
				`begin its name with ${templates.numberOf(submittedToo)}.`,
		});
		hubSpot.mergeContacts(one, other);
		await templates.run(templates.status, 'Every Hour');
		expect(templates.dealsOf(submittedToo)).toMatchObject([{ contacts: [one] }]);
		expect(await templates.jobs('hubspot-stage', submittedToo)).toMatchObject([{ state: 'done' }]);
	});

	test('takes the deal that a person has named, and holds what two deals could be', async () => {
		const { hubSpot } = templates;
		const number = templates.numberOf(submitted);
		const stageNow = { dealstage: 'appointmentscheduled' };
		const mine = hubSpot.addDeal({ dealname: `${number} TVs for Maren`, ...stageNow });
		const second = hubSpot.addDeal({ dealname: `${number} Holt`, ...stageNow });
		hubSpot.addDeal({ dealname: `Flat ${number}`, ...stageNow });
		await templates.look(submitted);
		expect(await templates.jobs('hubspot-stage', submitted)).toMatchObject([
			{ state: 'held', reason: expect.stringContaining(`begin with ${number}`) },
		]);
		hubSpot.updateDeal(second.id, { dealname: 'Holt, another house' });
		await templates.look(submitted);
		expect(mine.stages).toEqual(['appointmentscheduled', 'contractsent']);
		expect(templates.dealsOf(submitted)).toEqual([mine]);
	});

	test('needs no email, and creates nothing for a draft', async () => {
		await templates.look(staleOffice);
		expect(templates.dealsOf(staleOffice)).toEqual([]);
		const { length } = templates.hubSpot.contacts;
		await templates.setStatus(staleOffice, 'Submitted');
		expect(templates.dealsOf(staleOffice)).toMatchObject([{ contacts: [] }]);
		expect(templates.hubSpot.contacts).toHaveLength(length);
	});

	test('goes on with the others when one fails', async () => {
		const { hubSpot } = templates;
		const gone = templates.dealsOf(staleOffice)[0]!;
		hubSpot.deals.splice(hubSpot.deals.indexOf(gone), 1);
		control().setStatus(staleOffice, 'Declined');
		control().setStatus(declined, 'Submitted');
		const { status } = await stage().n8n.runManually(templates.status, 'Every Hour');
		expect(status).toBe('success');
		expect(templates.dealsOf(declined)).toHaveLength(1);
		const failed = templates.newlyFailed();
		expect(failed.map(({ error }) => error?.message)).toEqual([
			expect.stringContaining('could not be found'),
		]);
		control().setStatus(staleOffice, 'Draft');
	});
});
