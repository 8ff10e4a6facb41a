/** Everything that was said between the probe and the service, without the keys. */

const HEADING = `The whole conversation of the probe with the service, without the keys.
It has data of the account and is for its owner only: do not attach it to an issue.
`;

const SECRET_NAME = /key|secret|password|token/i;
const HIDDEN = '(hidden)';

export class Conversation {
	private readonly secrets: string[] = [];
	private readonly lines: string[] = [];

	/** Keeps secrets out of the text, also as JSON and URLs write them. */
	hide(...secrets: string[]): void {
		for (const secret of secrets.filter((one) => one !== '')) {
			this.secrets.push(secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret));
		}
	}

	add(exchange: object): void {
		this.lines.push(
			JSON.stringify(exchange, (name, value) =>
				SECRET_NAME.test(name) && typeof value === 'string' ? HIDDEN : value,
			),
		);
	}

	/** For the file beside the report. A secret may have been learned after it was said. */
	toString(): string {
		return HEADING + this.withoutSecrets(`${this.lines.join('\n')}\n`);
	}

	withoutSecrets(text: string): string {
		const longestFirst = this.secrets.toSorted((one, other) => other.length - one.length);
		return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
	}
}
