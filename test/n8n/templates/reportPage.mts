/** What a reader of the pipeline report sees, and how it writes amounts and days. */

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** The texts of a page as its reader sees them, those of a line of the layout joined. */
export function textsOf(html: string): string[] {
	const [, body] = html.split('</style>');
	return body!
		.replace(/\s+/g, ' ')
		.replace(/<\/?(div|tr|h1|h2|table|p)\b[^>]*>/g, '\n')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;/g, ' ')
		.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
		.replace(/&quot;/g, '"')
		.split('\n')
		.map((line) => line.replace(/ +/g, ' ').trim())
		.filter((line) => line !== '');
}

/** The time so many days ago. */
export const dayBefore = (days: number) => new Date(Date.now() - days * DAY);
/** A day as `YYYY-MM-DD`, in UTC. */
export const isoDay = (date: Date) => date.toISOString().slice(0, 10);
/** A day as the page writes it, without its year. */
export const longDay = (date: Date) =>
	date.toLocaleDateString('en-US', {
		weekday: 'long',
		month: 'long',
		day: 'numeric',
		timeZone: 'UTC',
	});

/** An amount of the API in whole cents. */
export const cents = (total: number) => Math.round(total * 100);
/** Whole cents as the page writes them. */
export const money = (amount: number) =>
	`$${(amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
/** All numbers together. */
export const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
/** A number of days as the page writes it. */
export const days = (count: number) => `${count} day${count === 1 ? '' : 's'}`;
