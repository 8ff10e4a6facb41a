/** One request of a trial and what came of it. */
import type { Answer } from './model.mts';
import type { Values } from './trial.mts';
import type { Way } from './way.mts';

export interface Attempt {
	way: Way;
	values: Values;
	answer: Answer;
	/** Whether it was accepted, and the read-back shows what was sent. */
	tookEffect: boolean;
}

export const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;
