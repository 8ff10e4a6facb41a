/** Tests the pages of the other systems in the demo. */
import { describe, expect, it } from 'vitest';
import { findFile, renderPage } from '../../dev/testbed/otherSystems/page.mts';

const file = (filename: string) => ({
	filename,
	contentType: 'text/csv',
	content: Buffer.from(`content of ${filename}`),
});
const url = 'http://127.0.0.1:20000/Email';
const shown = {
	Messages: [
		{ time: '09:00:00', subject: 'First', text: { html: '<b class="x">Hi</b>' } },
		{ time: '09:01:00', subject: 'Second <b>', attachments: [file('a.csv'), file('b.csv')] },
	],
	Drafts: [],
};
const page = renderPage('Email', url, shown, [
	{ name: 'Slack', url: 'http://127.0.0.1:20000/Slack' },
]);

describe('the page of another system', () => {
	it('shows the newest record first', () => {
		expect(page.indexOf('Second')).toBeGreaterThan(0);
		expect(page.indexOf('Second')).toBeLessThan(page.indexOf('First'));
	});

	it('escapes HTML in text', () => {
		expect(page).toContain('Second &lt;b&gt;');
	});

	it('shows an email in a frame that runs no scripts', () => {
		const srcdoc = '&lt;b class=&quot;x&quot;&gt;Hi&lt;/b&gt;';
		expect(page).toContain(`<iframe sandbox title="Message" srcdoc="${srcdoc}"></iframe>`);
	});

	it('links to the other pages', () => {
		expect(page).toContain('<a href="http://127.0.0.1:20000/Slack">Slack</a>');
	});

	it('links to attached files', () => {
		const links = [...page.matchAll(/href="([^"]+)\/files\/([^"]+)"/g)];
		const files = links.map(([, , path]) => findFile(shown, `/Email/files/${path!}`));
		expect(files.map((found) => found?.content.toString())).toEqual([
			'content of a.csv',
			'content of b.csv',
		]);
		expect(findFile(shown, '/Email/files/Messages/7/0')).toBeUndefined();
	});
});
