/** Asks the framework for its own description of the service. */
import type { Answer } from '../model.mts';
import type { Service } from '../service.mts';
import { compareDescription, type Comparison } from './compare.mts';
import type { Described } from './described.mts';
import { readOperation, readOperationNames } from './metadataPages.mts';
import { readOpenApi } from './openapi.mts';
import { readTypesMetadata } from './typesMetadata.mts';

/** What is reported of it. */
export interface DiscoveryFact extends Partial<Comparison> {
	/** How each page can be read. */
	pages: Record<string, 'unsigned' | 'signed' | 'no'>;
	/** The page that was compared with the contract. */
	source?: string;
	/** How many routes it describes. */
	routes?: number;
}

/** The page and what it describes; undefined when it is something else. */
type Reader = (
	page: unknown,
	service: Service,
	isSigned: boolean,
) => Promise<Described[] | undefined>;

/** More pages than that are not read one by one. */
const MOST_OPERATIONS = 150;

async function readMetadata(page: unknown, service: Service, isSigned: boolean) {
	const names = readOperationNames(page);
	if (names.length === 0) return undefined;
	const described: Described[] = [];
	for (const op of names.slice(0, MOST_OPERATIONS)) {
		const answer = await ask(service, '/json/metadata', isSigned, { op });
		described.push(...readOperation(answer.data));
	}
	return described;
}

/** The pages, the most exact first. */
const PAGES: Record<string, Reader> = {
	'/types/metadata': async (page) => readTypesMetadata(page),
	'/types/typescript': async (page) => {
		// The compiler takes a moment to load.
		const { readTypescript } = await import('./typescript.mts');
		return readTypescript(page);
	},
	'/openapi': async (page) => readOpenApi(page),
	'/swagger.json': async (page) => readOpenApi(page),
	'/metadata': readMetadata,
};

const ask = async (
	service: Service,
	path: string,
	isSigned: boolean,
	query?: Record<string, string>,
) => await service.send({ method: 'GET', path, ...(query && { query }), isUnsigned: !isSigned });

const isPage = ({ status, data }: Answer) => status === 200 && data !== '';

/** Whether a page exists, without reading what it leads to. */
const looksRight = (path: string, data: unknown) =>
	path === '/metadata' ? readOperationNames(data).length > 0 : true;

/** Every page is asked for, unsigned and signed; the first that can be read is the description. */
export async function discover(
	service: Service,
): Promise<{ described: Described[]; fact: DiscoveryFact }> {
	const fact: DiscoveryFact = { pages: {} };
	let described: Described[] = [];
	for (const [path, read] of Object.entries(PAGES)) {
		fact.pages[path] = 'no';
		for (const isSigned of [false, true]) {
			const answer = await ask(service, path, isSigned);
			if (!isPage(answer) || !looksRight(path, answer.data)) continue;
			fact.pages[path] = isSigned ? 'signed' : 'unsigned';
			if (described.length > 0) break;
			described = (await read(answer.data, service, isSigned)) ?? [];
			if (described.length === 0) fact.pages[path] = 'no';
			else fact.source = path;
			break;
		}
	}
	if (described.length === 0) return { described, fact };
	return {
		described,
		fact: { ...fact, routes: described.length, ...compareDescription(described) },
	};
}
