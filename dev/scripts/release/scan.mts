/** n8n's own scan of community nodes, done to what is not published yet. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * Scans the sources and an unpacked package, with the patterns of files that n8n's scan has for each.
 * The difference: n8n scans the source in npm's provenance, so it needs a published package.
 *
 * @returns what the scan reports, one line each
 */
export async function scan(source: string, packageFolder: string): Promise<string[]> {
	const results = [
		await analyzePackage(source, SOURCE_FILE_PATTERNS),
		await analyzePackage(packageFolder, ['**/*.js', 'package.json']),
	];
	return results.flatMap(({ passed, message = '', details = message }) =>
		passed ? [] : details.trim().split('\n'),
	);
}
