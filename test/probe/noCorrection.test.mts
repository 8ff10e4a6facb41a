import { afterEach, describe, expect, test } from 'vitest';
import type { Probe } from '../../probe/probe.mts';
import type { Rules } from './smallService.mts';
import { ids, quantity, QUANTITY, service, start, stop } from './trials.mts';

afterEach(stop);

describe('an endpoint for which nothing helps', () => {
	const report = (probe: Probe) => probe.endpoints.get('item.updateQuantity')!;

	test('differs when it accepts everything without effect', async () => {
		const probe = await start({ ...QUANTITY, names: { Quantity: 'Zyx' }, errors: 'none' });
		expect(await probe.try(quantity())).toBeUndefined();
		expect(report(probe)).toMatchObject({ verdict: 'differs', note: 'accepted without effect' });
		expect(report(probe)).not.toHaveProperty('correction');
	});

	test('is refused with its status, and only with the words that may be shown', async () => {
		const rules: Rules = { ...QUANTITY, names: { Quantity: 'Zyx' }, errors: 'plain' };
		const probe = await start(rules, { words: (message) => message.replace('not valid', '…') });
		expect(await probe.try(quantity())).toBeUndefined();
		expect(report(probe)).toMatchObject({
			verdict: 'refused',
			note: 'status 400: The request is ….',
		});
	});

	test.each([401, 403, 409])('is not tried in other ways after a %d', async (status) => {
		let requests = 0;
		const probe = await start({
			...QUANTITY,
			answer: (_, response) => {
				requests++;
				response.status(status).json({ message: 'No.' });
			},
		});
		await probe.try(quantity());
		expect(report(probe)).toMatchObject({ verdict: 'refused', note: `status ${status}` });
		expect(requests).toBe(status === 401 ? 2 : 1);
	});

	test.each([500, 503])(
		'is asked again after a single %d, and not for anything else',
		async (status) => {
			let requests = 0;
			const probe = await start({
				...QUANTITY,
				answer: (_, response) => void response.status(++requests === 1 ? status : 204).end(),
			});
			await probe.try({ ...quantity(), hasEffect: async () => true });
			expect(report(probe)).toMatchObject({ verdict: 'confirmed' });
			expect(requests).toBe(2);
		},
	);

	test('is missing when the service has no such route', async () => {
		const probe = await start({ ...QUANTITY, path: '/elsewhere' });
		await probe.try(quantity());
		expect(report(probe)).toMatchObject({ verdict: 'missing', response: { status: 404 } });
	});

	test('gets no correction when the read-back does not show the field', async () => {
		// Whoever leaves the field out is right, so any other name seems to be.
		const probe = await start({
			...QUANTITY,
			answer: (request, response) => {
				response.status(/\bquantity\b/i.test(String(request.body)) ? 400 : 204).end();
			},
		});
		await probe.try({ ...quantity(), hasEffect: async () => true });
		expect(report(probe)).toMatchObject({ verdict: 'refused' });
		expect(report(probe)).not.toHaveProperty('correction');
	});

	test('keeps what was learned of it when the service ends the probe', async () => {
		let requests = 0;
		const probe = await start({
			...QUANTITY,
			answer: (_, response) => void response.status(++requests < 3 ? 400 : 402).end(),
		});
		await expect(probe.try(quantity())).rejects.toThrow('subscription of this dealer is inactive');
		expect(report(probe)).toMatchObject({ verdict: 'refused', response: { status: 400 } });
	});

	test('is left alone when only reads are allowed', async () => {
		const probe = await start(QUANTITY, { readOnly: true });
		await probe.try(quantity());
		await probe.askValidation('item.updateQuantity', ids);
		expect(report(probe)).toMatchObject({ verdict: 'not tried' });
		expect(service.bodies).toEqual([]);
	});
});
