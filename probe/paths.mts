/** Other paths that an operation may have, where the service does not know that of the contract. */
import { endpoints, type Endpoint } from './contract.mts';
import { routeOf, type Hints } from './hints.mts';
import { wordsOf } from './names.mts';
import type { Ids, Trial } from './trial.mts';
import { parametersOf } from './way.mts';

/** Other last parts of paths, from the names of the fields and from similar services. */
const SEGMENTS: Record<string, string> = {
	qty: 'quantity',
	sellprice: 'price sell-price sell',
	combineprice: 'combinedprice combine-price combine',
	shortdescription: 'description short-description',
	note: 'notes clientnote clientnotes client-note',
	image: 'imageurl picture',
	taxexempt: 'tax-exempt istaxexempt',
	recurringservice: 'recurring recurring-service',
	costupdate: 'updatecosts updatecost refreshcosts refreshcost cost-update costsupdate',
	replace: 'substitute swap',
	copy: 'duplicate',
	clientdescription: 'description client-description',
	installernotes: 'notes installer-notes internalnotes installerdescription',
	internalnotes: 'internal-notes notes',
	suppliers: 'supplier',
	area: 'areas',
	option: 'options',
	location: 'locations',
	people: 'contacts',
};

const lastOf = (path: string) =>
	path
		.split('/')
		.filter((part) => part !== '' && !part.startsWith('{'))
		.at(-1)!
		.toLowerCase();

/** The length of the longest text that is in both. */
function shared(one: string, other: string): number {
	for (let length = one.length; length > 0; length--) {
		for (let start = 0; start + length <= one.length; start++) {
			if (other.includes(one.slice(start, start + length))) return length;
		}
	}
	return 0;
}

/** How alike the ends of two paths are: the rest of them says what they are about. */
function likeness(endpoint: Endpoint, path: string): number {
	const [own, other] = [lastOf(endpoint.path), lastOf(path)];
	const isKnown = SEGMENTS[own]?.split(' ').includes(other) ?? false;
	const length = isKnown ? 20 : shared(own, other);
	if (length < 4) return 0;
	const words = new Set(endpoint.path.split('/').flatMap(wordsOf));
	return (
		length +
		path
			.split('/')
			.flatMap(wordsOf)
			.filter((word) => words.has(word)).length
	);
}

/** A path of the service with our names of its parameters; undefined when an ID for one is missing. */
function withOurNames(endpoint: Endpoint, path: string, ids: Ids): string | undefined {
	const ours = parametersOf(endpoint.path);
	const theirs = parametersOf(path);
	const named = (name: string) =>
		Object.keys(ids).find((one) => one.toLowerCase() === name.toLowerCase());
	const rest = ours.filter((one) => !theirs.some((name) => named(name) === one));
	let isComplete = true;
	const renamed = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
		const own = named(name) ?? rest.shift();
		isComplete &&= own !== undefined && own in ids;
		return `{${own}}`;
	});
	return isComplete ? renamed : undefined;
}

/** The other of two documented paths of an operation. */
export const otherOperation = (operation: string) =>
	operation.endsWith('.alternate')
		? operation.slice(0, -'.alternate'.length)
		: `${operation}.alternate`;

/** The second documented path of an operation; undefined when it has none. */
export const alternateOf = ({ operation }: Endpoint): Endpoint | undefined =>
	endpoints.find((one) => one.operation === `${operation}.alternate`);

/** Paths that are worth trying, the likely ones first. */
export function otherPaths(
	endpoint: Endpoint,
	hints: Hints,
	{ ids = {}, ...trial }: Trial,
): string[] {
	const known = new Set(endpoints.map(({ path }) => routeOf(path)));
	const described = hints.described
		.filter(({ methods, path }) => methods.includes(endpoint.method) && !known.has(routeOf(path)))
		.map(({ path }) => ({ path, score: likeness(endpoint, path) }))
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.slice(0, 6)
		.map(({ path }) => withOurNames(endpoint, path, ids));
	const found = [...described, ...(trial.otherPaths ?? []), ...guesses(endpoint)];
	const usable = found.filter(
		(path) => path !== undefined && parametersOf(path).every((name) => name in ids),
	);
	return [...new Set(usable as string[])].filter((path) => path !== endpoint.path);
}

/** Variants of both documented paths; they are not tried once more for the second. */
function guesses(endpoint: Endpoint): string[] {
	if (endpoint.isAlternate) return [];
	return [endpoint, alternateOf(endpoint)].flatMap((one) => {
		const last = one === undefined ? '' : lastOf(one.path);
		const others = SEGMENTS[last]?.split(' ') ?? [];
		return others.map((other) => one!.path.replace(new RegExp(`/${last}(?=/|$)`), `/${other}`));
	});
}
