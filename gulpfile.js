/**
 * What `tsc` leaves out: icons, codex files (`*.node.json`) and output schemas go beside the
 * compiled nodes, where n8n looks for them.
 */
const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

const assets = [
	'icons/**/*.svg',
	'nodes/**/*.svg',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

exports.clean = () => rm('dist', { recursive: true, force: true });
// Without `encoding: false` gulp 5 reads every file as UTF-8 text, which ruins anything binary.
exports.assets = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
