/** What may be shown of what a service says. */
import { describe, expect, it } from 'vitest';
import { publicWords } from '../../probe/words.mts';

const seen = [
	'Rowan Okafor',
	'Hillside cinema',
	'Draft',
	'Quantity',
	'n8n probe 2026-11-22',
	'ann',
];

describe('the words of the service', () => {
	it.each<[said: string, shown: string]>([
		['Quantity must be greater than 0.', 'Quantity must be greater than 0.'],
		["'Quantity' must be greater than 0.", "'Quantity' must be greater than 0."],
		["'Items[0].itemId' is not valid", "'Items[0].itemId' is not valid"],
		['Contact Rowan Okafor was not found', 'Contact … was not found'],
		['No proposal 48201', 'No proposal …'],
		['The total is $1,234.50 (12 items)', 'The total is $… items)'],
		['PageSize must be between 1 and 50', 'PageSize must be between 1 and 50'],
		['on 2026-11-22 at 10:15', 'on … at …'],
		['User avery@cedarandcoil.example is locked', 'User … is locked'],
		['See https://dealer.example/p/7?key=abc for more', 'See … for more'],
		['There is already an area named "Kitchen"', 'There is already an area named …'],
		["The area 'Rowan's room' exists", 'The area … exists'],
		[
			"The dealer’s area ‘Den’ exists; Portal.io doesn't rename",
			"The dealer’s area … exists; Portal.io doesn't rename",
		],
		['Key 4f1c9a7e-55aa-4b0e-9d7c-0a1b2c3d4e5f is unknown', 'Key … is unknown'],
		['Hash mZ0s1v3nqk8b2C4d6E8f0G1h2J3k4L5m6N7p8Q9r0S0=', 'Hash …'],
		['The annual cannot', 'The annual cannot'],
		['<html><body>Rowan</body></html>', 'an HTML page'],
		['A proposal in Draft', 'A proposal in Draft'],
		['In n8n probe 2026-11-22', 'In n8n probe …'],
		['two\nlines\u001b[31m in red\u202e', 'two lines in …'],
		// What no record held before.
		[
			'Bob Unseen of Acme Widgets may not change Lobby at 12 Elm St, +1 555 0100 @octocat',
			'… of … may not change … at …',
		],
		['Will Grant is not allowed', 'Will … is not allowed'],
		['Owner may: Mark Will', 'Owner may: …'],
		['Unknown event: proposal.jane_roe, ContactJaneRoe', 'Unknown event: proposal.…'],
		['![x](https://a.example) #17 **loud** `code`', '… `code`'],
		['Jörg Müller-Großmann 李小龙 is unknown', '… is unknown'],
	])('%j', (said, shown) => {
		expect(publicWords(said, seen)).toBe(shown);
	});

	it('keep the names of fields that only the service knows', () => {
		expect(publicWords("'Pieces' is required", [])).toBe('… is required');
		expect(publicWords("'Pieces' is required", [], ['pieces'])).toBe("'Pieces' is required");
	});

	it.each(['Jane Roe', 'jane@unseen.example', 'Client4711', 'Rowan_Okafor', 'RowanOkaforId', '12'])(
		'do not keep %j as the name of a field',
		(name) => {
			const shown = publicWords(`'${name}' is required, ${name}`, seen, [name]);
			expect(shown).toBe('… is required, …');
		},
	);

	it.each([
		'You do not have permission to perform this action.',
		'Your dealer subscription is inactive or has expired.',
		'You are not authorized. Your user key is unknown or has expired.',
		'The content type must be multipart/form-data with a boundary.',
		'CompanyName is required when PartyType is Company.',
		'ImageUrl must be an absolute http or https address.',
		'Proposal item not found.',
		'At least one event is required.',
		"'Area Option Id' must not be empty.",
		"'Items[].itemId' is not in the correct format.",
		'Hash mismatch: the signature of this request is not valid.',
		'Handler for request not found.',
		'The service could not process the request. Try again later.',
	])('keep what a maintainer acts on: %s', (said) => {
		expect(publicWords(said, seen)).toBe(said);
	});

	it('end somewhere', () => {
		const words = publicWords('a word '.repeat(1000), []);
		expect(words.length).toBeLessThan(300);
	});

	it('hide a longer text before a shorter one inside of it', () => {
		expect(publicWords('At Hillside cinema', ['Hillside', 'Hillside cinema'])).toBe('At …');
	});
});
