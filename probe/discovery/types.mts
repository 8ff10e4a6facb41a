/** The types that a description declares by name. */
import { MAX_DEPTH, type Shape } from './described.mts';

/** A use of a type. */
export type TypeRef = { type: Shape['type'] } | { entries: TypeRef } | { name: string };

/** What a name stands for. */
export interface Declaration {
	fields: Record<string, TypeRef>;
	required: string[];
	/** A type that it has all fields of. */
	base?: string | undefined;
	/** Of an enumeration. */
	isEnum?: boolean;
}

const SCALARS: [RegExp, Shape['type']][] = [
	[/^(string|guid|datetime|datetimeoffset|dateonly|timeonly|timespan|char|uri|date)$/i, 'string'],
	[/^(u?int\d*|integer|u?long|u?short|s?byte|decimal|double|single|float|number)$/i, 'number'],
	[/^bool(ean)?$/i, 'boolean'],
	[/^(dictionary|map|record|object|hashtable|keyvaluepair)$/i, 'object'],
	[/^(any|unknown|null|void)$/i, 'unknown'],
];

const LISTS = /^(?:I?List|Array|IEnumerable|I?Collection|HashSet|ISet|IReadOnlyList)`?\d*$/;

/** A type as C# writes it: `List<Int32>`, `Nullable<Int32>`, `long?`, `Item[]`. */
export function parseType(text: string): TypeRef {
	const plain = text.trim().replace(/\?$/, '');
	if (plain.endsWith('[]')) return { entries: parseType(plain.slice(0, -2)) };
	const [, outer = plain, inner] = /^([\w.`]+)<(.*)>$/.exec(plain) ?? [];
	const name = outer.split('.').at(-1)!;
	if (inner !== undefined && /^Nullable/.test(name)) return parseType(inner);
	if (inner !== undefined && LISTS.test(name)) return { entries: parseType(inner) };
	const type = SCALARS.find(([pattern]) => pattern.test(name.replace(/`\d+$/, '')))?.[1];
	return type === undefined ? { name } : { type };
}

/** Declarations by name, and the shapes that they stand for. */
export class Types {
	private readonly declared = new Map<string, Declaration>();

	declare(name: string, declaration: Declaration): void {
		this.declared.set(name, declaration);
	}

	has(name: string): boolean {
		return this.declared.has(name);
	}

	/** A type that is not declared, or stands too deep inside of others, is unknown. */
	shapeOf(ref: TypeRef, depth = 0): Shape {
		if ('type' in ref) return { type: ref.type };
		if ('entries' in ref) return { type: 'list', entries: this.shapeOf(ref.entries, depth + 1) };
		const declaration = this.declared.get(ref.name);
		if (declaration === undefined || depth > MAX_DEPTH) return { type: 'unknown' };
		return declaration.isEnum ? { type: 'string' } : this.shapeOfFields(declaration, depth);
	}

	/** The fields of a declaration, those of its base included. */
	shapeOfFields({ fields, required, base }: Declaration, depth = 0): Shape {
		const inherited =
			base === undefined ? { type: 'unknown' as const } : this.shapeOf({ name: base }, depth + 1);
		const own = Object.entries(fields).map(([name, ref]) => [name, this.shapeOf(ref, depth + 1)]);
		return {
			type: 'object',
			fields: { ...inherited.fields, ...Object.fromEntries(own) },
			required: [...(inherited.required ?? []), ...required],
		};
	}
}
