/** Declares types for the parts of n8n's scanner that are used here, because the scanner declares none. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		folder: string,
		filePatterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
