/**
 * The part of Xero's `where` filters that is played here: comparisons of a field with a text or null,
 * `Contains`, `StartsWith` and `EndsWith`, `ToLower()`, joined by AND, OR and parentheses.
 */
import { badQuery } from './errors.mts';

type Fields = Record<string, unknown>;
type Condition = (record: Fields) => boolean;

const TOKEN =
	/\s*(?:(\(|\)|==|!=|&&|\|\|)|(AND|OR|null)\b|"((?:[^"]|"")*)"|([A-Z]\w*(?:\.ToLower\(\))?(?:\.(?:Contains|StartsWith|EndsWith)(?=\())?))/gy;

/** Reads a filter; an unknown field in it is an error. */
export function parseWhere(where: string, fields: readonly string[]): Condition {
	const parser = new Parser(tokensOf(where), fields);
	return parser.parse();
}

interface Token {
	kind: 'sign' | 'word' | 'text' | 'field';
	value: string;
}

function tokensOf(where: string): Token[] {
	const tokens: Token[] = [];
	let end = 0;
	for (const match of where.matchAll(TOKEN)) {
		const [all, sign, word, text, field] = match;
		end = match.index + all.length;
		if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
		else if (word !== undefined) tokens.push({ kind: 'word', value: word });
		else if (text !== undefined) tokens.push({ kind: 'text', value: text.replaceAll('""', '"') });
		else tokens.push({ kind: 'field', value: field! });
	}
	if (where.slice(end).trim() !== '') throw badQuery(`Syntax error at "${where.slice(end)}"`);
	return tokens;
}

class Parser {
	readonly #tokens: Token[];
	readonly #fields: readonly string[];

	constructor(tokens: Token[], fields: readonly string[]) {
		this.#tokens = tokens;
		this.#fields = fields;
	}

	parse(): Condition {
		const condition = this.#any();
		if (this.#tokens.length > 0) throw badQuery('Syntax error');
		return condition;
	}

	#any(): Condition {
		const parts = [this.#all()];
		while (this.#takes('||', 'OR')) parts.push(this.#all());
		return (record) => parts.some((part) => part(record));
	}

	#all(): Condition {
		const parts = [this.#one()];
		while (this.#takes('&&', 'AND')) parts.push(this.#one());
		return (record) => parts.every((part) => part(record));
	}

	#one(): Condition {
		if (this.#takes('(')) {
			const inner = this.#any();
			this.#expect(')');
			return inner;
		}
		const { kind, value } = this.#next();
		const [name = '', ...calls] = value.replaceAll('()', '').split('.');
		if (kind !== 'field') throw badQuery('Syntax error');
		if (!this.#fields.includes(name)) {
			throw badQuery(`No property or field '${name}' exists in type`);
		}
		const read = (record: Fields) => valueOf(record, name, calls.includes('ToLower'));
		const test = calls.find((call) => call !== 'ToLower');
		return test === undefined ? this.#comparison(read) : this.#call(test, name, read);
	}

	#comparison(read: (record: Fields) => unknown): Condition {
		const { value: sign } = this.#next();
		const { kind, value } = this.#next();
		const expected = kind === 'word' ? null : value;
		if (sign === '==') return (record) => (read(record) ?? null) === expected;
		if (sign === '!=') return (record) => (read(record) ?? null) !== expected;
		throw badQuery(`Operator '${sign}' is not played`);
	}

	#call(test: string, name: string, read: (record: Fields) => unknown): Condition {
		this.#expect('(');
		const { value } = this.#next();
		this.#expect(')');
		return (record) => {
			const actual = read(record);
			if (typeof actual !== 'string') throw badQuery(`${name} is null`);
			if (test === 'Contains') return actual.includes(value);
			return test === 'StartsWith' ? actual.startsWith(value) : actual.endsWith(value);
		};
	}

	#next(): Token {
		const token = this.#tokens.shift();
		if (!token) throw badQuery('Expression expected');
		return token;
	}

	#takes(...values: string[]): boolean {
		const [token] = this.#tokens;
		const isTaken = token?.kind !== 'text' && values.includes(token?.value ?? '');
		if (isTaken) this.#tokens.shift();
		return isTaken;
	}

	#expect(value: string): void {
		if (!this.#takes(value)) throw badQuery(`'${value}' expected`);
	}
}

/** A call on nothing is an error, as it is in Xero: hence `EmailAddress!=null AND …`. */
function valueOf(record: Fields, name: string, isLower: boolean): unknown {
	const value = record[name];
	if (!isLower) return value;
	if (typeof value !== 'string') throw badQuery(`${name} is null`);
	return value.toLowerCase();
}
