/** That what docs/request-and-delivery.md names of n8n is in the n8n that is installed. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installationFolder } from '../../testbed/paths.mts';
import { defines, ofN8n } from '../unit/steps.mts';

it.each(ofN8n)('%s is defined in %s', (name, file) => {
	expect(defines(join(installationFolder, 'node_modules', file), name)).toBe(true);
});
