import { expect, it } from 'vitest';
import { dayAfterRelease } from '../testbed/n8n/install.mts';

const times = { created: '2019-06-22T09:04:35Z', '2.41.1': '2026-09-23T11:04:44.855000+00:00' };

it('returns the time 24 hours after the release of a version', () => {
	expect(dayAfterRelease(times, '2.41.1')).toBe('2026-09-24T11:04:44.855Z');
});

it('reports a version of n8n that npm does not have', () => {
	expect(() => dayAfterRelease(times, '2.99.0')).toThrow('npm has no n8n 2.99.0');
});
