import {
	areasOf,
	isProposal,
	itemsOf,
	proposalAfterChange,
	type Proposal,
} from '../../../../client/model';
import type { Call } from '../../operation/operation';
import { addsItems, pairItems, pairOptions, STAGES, type Change, type Wanted } from './copyPlan';

/** A copy, as far as it is done. */
export interface Copy {
	id: number;
	/** As Portal.io returned it last; undefined where it has not yet. */
	latest: Proposal | undefined;
	/** Changes after which the copy still has another text. */
	kept: Change[];
}

/**
 * Adds what a copy lacks. Each stage is planned from what the copy has, so one that was left half-way
 * is completed, and nothing is added twice.
 *
 * @param copy is kept up to date
 * @returns the copy in full
 * @throws PortalError when it cannot be completed
 */
export async function complete(call: Call, wanted: Wanted, copy: Copy): Promise<Proposal> {
	let proposal = await proposalAfterChange(call.send, copy.id, copy.latest, true);
	for (const stage of STAGES) {
		for (let changes = stage(wanted, proposal); changes.length > 0;) {
			const mayBeEmpty = !addsItems(stage) && itemsOf(proposal).length === 0;
			let response: unknown;
			for (const { request } of changes) {
				response = await call.send({ ...request, followsCreation: true });
				if (isProposal(response) && response.areas) copy.latest = response;
			}
			proposal = await proposalAfterChange(call.send, copy.id, response, mayBeEmpty);
			copy.latest = proposal;
			const sent = new Set(changes.map(({ failure }) => failure));
			const left = stage(wanted, proposal);
			// A change is not planned again unless it had no effect.
			const ineffective = left.filter(({ failure }) => sent.has(failure));
			const failed = ineffective.find(({ mayDiffer }) => !mayDiffer);
			if (failed) throw call.error(failed.failure, 'Compare the two proposals in Portal.io.');
			copy.kept.push(...ineffective);
			changes = left.filter((one) => !ineffective.includes(one));
		}
	}
	return proposal;
}

/** How much of the source is in the copy: `3 areas, 2 of 6 options, 9 of 40 items`. */
export function progressOf(source: Proposal, copy: Pick<Proposal, 'areas'> = {}): string {
	const options = pairOptions(source, copy);
	const areas = new Set(options.map(({ ownArea }) => ownArea).filter(Boolean));
	const items = options.map(({ option, own }) => pairItems(option.items, own?.items ?? []).size);
	const counts = [
		['areas', areas.size, areasOf(source).length],
		['options', options.filter(({ own }) => own).length, options.length],
		['items', items.reduce((sum, count) => sum + count, 0), itemsOf(source).length],
	] as const;
	return counts
		.map(([what, done, all]) => `${done === all ? all : `${done} of ${all}`} ${what}`)
		.join(', ');
}

/** What is not copied, as far as the source has it. */
export function leftOut({ financialSummary, paymentSchedule }: Proposal, kept: Change[]): string {
	return [
		'internal notes',
		'costs and suppliers',
		...(financialSummary?.partsDiscount ? ['discount'] : []),
		...(paymentSchedule?.payments?.length ? ['payment schedule'] : []),
		...(kept.length > 0 ? [`${kept.length} texts that Portal.io keeps in another form`] : []),
	].join(', ');
}
