/** Generates text that could break out of paths, forms, file names, and URLs. */
import fc from 'fast-check';

const PIECES = [
	'../',
	'..',
	'.',
	'/',
	'//',
	'\\',
	'?',
	'#',
	'%',
	'%2f',
	'%2F',
	'%5c',
	'%2e%2e',
	'%00',
	';',
	':',
	'@',
	'&',
	'=',
	'+',
	'&Name=x',
	'[]',
	'\r\n',
	'\r\n\r\n',
	'\0',
	'"',
	"'",
	'<b>',
	',',
	' ',
	'\xA0',
	'ü',
	'部',
	'😀',
	'‮',
	'﻿',
	'{{ 1 }}',
	'__proto__',
	'1',
	'0',
];
/** Halves of an emoji, which no encoder can encode. */
const HALVES = ['\ud83d', '\ude00'];

const arbitraryText = (pieces: string[]) =>
	fc.string({
		unit: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 1 })),
		maxLength: 12,
	});

export const encodableText = arbitraryText(PIECES);

export const hostileText = arbitraryText([...PIECES, ...HALVES]);
