/**
 * Builds a path from a template, each value percent-encoded so that it cannot leave its segment.
 *
 * @example path`/public/proposals/${5}/area`
 * @throws Error when a value is empty or a dot segment, which the HTTP client would resolve away
 */
export function path(parts: TemplateStringsArray, ...values: Array<string | number>): string {
	return values.reduce<string>((built, value, index) => {
		const text = String(value);
		if (text === '' || text === '.' || text === '..') {
			throw new Error(`'${text}' cannot be part of a URL`);
		}
		return built + encodeURIComponent(text) + (parts[index + 1] ?? '');
	}, parts[0] ?? '');
}
