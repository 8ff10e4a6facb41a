/**
 * Computes the signatures in openssl.json again with the program openssl, and fails where one differs:
 *
 *   node test/vectors/remake.mts
 *   node test/vectors/remake.mts --write     also writes commands and results, after a new entry
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { commandOf } from './command.mts';
import { vectors, vectorsFile } from './hmac.mts';

const remade = vectors.map((one) => {
	const command = commandOf(one);
	const result = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim();
	return { ...one, command, result };
});
const changed = remade.filter(
	({ command, result }, index) =>
		command !== vectors[index]!.command || result !== vectors[index]!.result,
);
for (const { about, command, result } of changed)
	console.log(`${about}\n  ${command}\n  ${result}`);
if (process.argv.includes('--write')) {
	writeFileSync(vectorsFile, `${JSON.stringify(remade, null, '\t')}\n`);
} else {
	console.log(`${vectors.length - changed.length} of ${vectors.length} signatures are openssl's.`);
	process.exitCode = changed.length === 0 ? 0 : 1;
}
