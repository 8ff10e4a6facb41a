/**
 * The package in a real n8n. One n8n and one simulator serve all of it: starting them takes longer
 * than most of what is tested. The main job comes first, while both are as the demo finds them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';
import { setStage } from '../../testbed/stage.mts';
import type { Stage } from '../../testbed/stage.mts';
import { aiBuilderTests } from './aiBuilder.mts';
import { assistantTests } from './assistant.mts';
import { credentialTests } from './credential.mts';
import { deliveryTests } from './deliveries.mts';
import { executionTests } from './executions.mts';
import { httpRequestTests } from './httpRequest.mts';
import { loaderTests } from './loader.mts';
import { mainJobTests } from './mainJob.mts';
import { secrecyTests } from './secrecy.mts';
import { subscriptionTests } from './subscriptions.mts';
import { templateTests } from './templates.mts';

let folder: RunFolder;
let current: Stage;
const stage = () => current;

beforeAll(async () => {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	folder = await makeRunFolder();
	current = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		scheduleSeconds: 5,
	});
});

afterAll(async () => {
	await current?.stop();
	await folder?.discard();
});

mainJobTests(stage);
credentialTests(stage);
executionTests(stage);
httpRequestTests(stage);
subscriptionTests(stage);
deliveryTests(stage);
aiBuilderTests(stage);
templateTests(stage);
assistantTests(stage);
loaderTests(stage);
secrecyTests(stage);
