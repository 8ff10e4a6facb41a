import { expect, it } from 'vitest';
import { describeSkew } from '../../client/explain.ts';
import { readClockLead } from '../../client/errors.ts';

const NOW = Date.parse('2026-04-14T12:00:00Z');

it.each([
	['Tue, 14 Apr 2026 11:59:01 GMT', ''],
	['Tue, 14 Apr 2026 11:59:00 GMT', 'about 1 minute ahead of'],
	['Tue, 14 Apr 2026 12:01:00 GMT', 'about 1 minute behind'],
	['Tue, 14 Apr 2026 12:11:00 GMT', 'about 11 minutes behind'],
	['Tue, 14 Apr 2026 10:01:00 GMT', 'about 119 minutes ahead of'],
	['Tue, 14 Apr 2026 14:00:00 GMT', 'about 2 hours behind'],
	[undefined, ''],
	[[0], ''],
	['soon', ''],
])('says at noon what a response of %j tells about the clock: "%s"', (date, text) => {
	const sentence =
		text && `The clock of the n8n server is ${text} that of Portal.io: set it right.`;
	expect(describeSkew(date, NOW)).toBe(sentence);
});

it('does not know the clock of the service without a date', () => {
	expect(readClockLead('Tue, 14 Apr 2026 12:00:05 GMT', NOW)).toBe(5000);
	expect(readClockLead('soon', NOW)).toBeUndefined();
});
