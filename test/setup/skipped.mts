/** Says at the end of a run which tests were skipped, and why; in CI, that is a failure. */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** The reporter, as Vitest wants it. */
export default class Skipped implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const skipped = modules
			.flatMap((module) => [...module.children.allTests('skipped')])
			// Not those that somebody left out with `-t`, nor those of a file that failed, which is shown by itself.
			.filter(
				({ project, module }) => !project.config.testNamePattern && module.state() !== 'failed',
			);
		if (skipped.length === 0) return;
		console.log(`\n NOT TESTED: ${skipped.length} skipped\n`);
		for (const test of skipped) console.log(`   ${nameOf(test)}`);
		const reasons = skipped.flatMap(({ project }) => project.getProvidedContext().missing ?? []);
		for (const reason of new Set(reasons)) console.log(`\n ${reason}`);
		if (process.env.CI === 'true') {
			console.log('\n With CI=true, a skipped test is a failure.');
			process.exitCode = 1;
		}
		console.log();
	}
}

const nameOf = ({ module, fullName }: TestCase) => `${module.relativeModuleId} > ${fullName}`;
