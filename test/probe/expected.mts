/** What a probe must report of an example service, worked out from the settings of that service. */
import type { Correction, EndpointReport } from '../../probe/model.mts';
import { operations, type Operation } from '../../simulator/contract.mts';
import { examples } from '../../simulator/otherService/examples.mts';
import { contentTypeOf, fieldsOf } from '../../simulator/otherService/fields.mts';
import type { Names, OtherService } from '../../simulator/otherService/settings.mts';

/** What is expected of an operation: a verdict on the request alone, and the correction. */
export interface Expected {
	operation: string;
	isMissing: boolean;
	correction: Correction | undefined;
}

const EVENT = 'proposal.status_changed';

/** The values of enumerations that the probe sends: others of these fields it cannot see. */
const SENT = {
	SortBy: 'ModifiedDate',
	SortDirection: 'Desc',
	PartyType: 'Person',
	ContactType: 'Client',
} as Record<string, string>;

/** How many values the probe sends in the lists of an operation, where it is not two or more. */
const LENGTHS: Record<string, number> = {
	// Its search for a part names no brand and no category, so that it finds one.
	'catalog.search': 0,
	// A subscription of the trigger has one event; commas between several are among the facts.
	'webhookSubscription.create': 1,
	'webhookSubscription.update': 1,
};

const choices = <Choice,>(
	given: readonly Choice[] | Record<string, readonly Choice[]> | undefined,
	{ id, name }: Operation,
): readonly Choice[] | undefined =>
	given === undefined || Array.isArray(given)
		? (given as readonly Choice[] | undefined)
		: ((given as Record<string, readonly Choice[]>)[id] ??
			(given as Record<string, readonly Choice[]>)[name] ??
			(given as Record<string, readonly Choice[]>)['*']);

/** Whether a body has nothing that does not stand in the path: nobody sees whether it is read. */
function repeatsPath(operation: Operation): boolean {
	const path = operation.path.toLowerCase();
	const body = fieldsOf(operation).filter((field) => field.in === 'body');
	return body.every(({ name }) => path.includes(`{${name.toLowerCase()}}`));
}

/** The format of a body that the service reads, the documented one if it does. */
function formatOf(service: OtherService, operation: Operation): Correction['format'] {
	const own = contentTypeOf(operation) === 'application/json' ? 'json' : 'form';
	const read = choices(service.formats, operation);
	if (contentTypeOf(operation) === undefined || read === undefined) return own;
	if (service.otherFormat !== 'refused' && repeatsPath(operation)) return own;
	return read.includes(own) ? own : read[0]!;
}

/** The only form in which the service reads lists, where it is not the one of this package. */
function listsOf(service: OtherService, operation: Operation): Correction['lists'] {
	const read = choices(service.lists, operation) ?? ['repeated'];
	const hasList = fieldsOf(operation).some(({ schema }) => schema.type === 'array');
	const length = LENGTHS[operation.name] ?? 2;
	// A list in JSON is read in any case, and one value without commas is a list of one.
	if (!hasList || read.includes('repeated') || formatOf(service, operation) === 'json') {
		return undefined;
	}
	return length >= (read[0] === 'commas' ? 2 : 1) ? read[0] : undefined;
}

function valuesOf({ values = {}, events }: OtherService, operation: Operation): [string, Names][] {
	const changed = fieldsOf(operation).flatMap(({ name }): [string, Names][] => {
		const theirs = values[name]?.[SENT[name] ?? ''];
		return theirs === undefined ? [] : [[name, { [SENT[name]!]: theirs }]];
	});
	const theirEvent = events?.names?.[EVENT];
	// An update has the events that the service named in its response to the creation.
	return operation.name === 'webhookSubscription.create' && theirEvent !== undefined
		? [...changed, ['Events', { [EVENT]: theirEvent }]]
		: changed;
}

function correctionOf(service: OtherService, operation: Operation): Correction | undefined {
	const { names = {}, paths = {} } = service;
	const format = formatOf(service, operation);
	const correction: Correction = { format, names: names[operation.name] ?? {} };
	const [path, lists] = [paths[operation.name], listsOf(service, operation)];
	const values = valuesOf(service, operation);
	if (path !== undefined) correction.path = path;
	if (lists !== undefined) correction.lists = lists;
	if (values.length > 0) correction.values = Object.fromEntries(values);
	const isOwn = format === formatOf({}, operation) && Object.keys(correction).length === 2;
	return isOwn && Object.keys(correction.names).length === 0 ? undefined : correction;
}

/**
 * The second documented path of an operation that has a new one: unless the service describes
 * itself, nothing leads from the former to the latter, and the first path has the correction.
 */
const UNFOUND = 'areaOption.updateInstallerNotes.alternate';

/** What is expected of every operation but those of AI work, which the probe leaves alone. */
export function expectedOf(name: string): Expected[] {
	const { service } = examples[name]!;
	return operations
		.filter(({ id }) => !/^ai(?!Content\.getMany)/.test(id))
		.map((operation) => {
			const { id } = operation;
			const isMissing =
				id === UNFOUND &&
				service.paths?.[operation.name] !== undefined &&
				service.discovery === undefined;
			const correction = isMissing ? undefined : correctionOf(service, operation);
			return { operation: id, isMissing, correction };
		});
}

/** The service reads names in any case; forms have them in PascalCase, JSON bodies in camelCase. */
export const lowerCase = (correction: Correction | undefined) =>
	correction && {
		...correction,
		names: Object.fromEntries(
			Object.entries(correction.names).map(([ours, theirs]) => [ours, theirs.toLowerCase()]),
		),
	};

const last = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** The deviations of a response that no setting of the service explains. */
export function unexplained(name: string, { response, operation }: EndpointReport): string[] {
	const { answers = {}, values = {}, secretKeyInLists } = examples[name]!.service;
	if (response === undefined) return [];
	const changes = [answers['*'] ?? {}, answers[operation.replace('.alternate', '')] ?? {}];
	const absent = changes.flatMap(({ rename = {}, remove = [] }) => [
		...Object.keys(rename).map(last),
		...remove.map(last),
	]);
	const added = changes.flatMap(({ rename = {}, add = {} }) => [
		...Object.values(rename),
		...Object.keys(add).map(last),
	]);
	if (secretKeyInLists) added.push('secretKey');
	const others = Object.keys(values).map((field) => field.toLowerCase());
	const types = changes.flatMap((one) => Object.keys(one.types ?? {}).map(last));
	const isExplained = (deviation: string) => {
		const field = last(deviation.split(':')[0]!);
		return others.includes(field.toLowerCase())
			? deviation.endsWith('a value that the contract does not list')
			: types.includes(field);
	};
	return [
		...response.absent.filter((path) => !absent.includes(last(path))),
		...response.added.filter((path) => !added.includes(last(path))),
		...response.types.filter((deviation) => !isExplained(deviation)),
	];
}
