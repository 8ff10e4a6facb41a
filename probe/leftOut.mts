/** Why a run leaves an endpoint open, in distinction to a failure. */
import type { EndpointReport } from './model.mts';

export const ONLY_READS = 'It changes something, and only reads were allowed.';
export const NEEDS_AI = 'It needs the option --ai.';
export const UNSEEN =
	'It was accepted, as was a field that no service has, and nothing returns what was sent: whether it took effect cannot be seen.';

/** Whether the options of the run ask for an endpoint that could not be tried. */
export const isUntried = ({ verdict, note = '' }: EndpointReport): boolean =>
	verdict === 'not tried' && ![ONLY_READS, NEEDS_AI, UNSEEN].includes(note);
