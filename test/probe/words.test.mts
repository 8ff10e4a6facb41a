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
		['The total is $1,234.50 (12 items)', 'The total is $… (12 items)'],
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
		['two\nlines\u001b[31m in red\u202e', 'two lines [31m in red'],
	])('%j', (said, shown) => {
		expect(publicWords(said, seen)).toBe(shown);
	});

	it('keep the names of fields that only the service knows', () => {
		expect(publicWords("'Pieces' is required", [])).toBe('… is required');
		expect(publicWords("'Pieces' is required", [], ['pieces'])).toBe("'Pieces' is required");
	});

	it('end somewhere', () => {
		const words = publicWords('a word '.repeat(1000), []);
		expect(words.length).toBeLessThan(300);
	});

	it('hide a longer text before a shorter one inside of it', () => {
		expect(publicWords('At Hillside cinema', ['Hillside', 'Hillside cinema'])).toBe('At …');
	});
});
