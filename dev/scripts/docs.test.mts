/** What of the documentation is written from the declarations, and that it was written again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as requestOptions from '../../nodes/PortalIo/run/run.ts';
import * as resources from '../../nodes/PortalIo/resources/index.ts';
import * as operations from '../../nodes/PortalIo/operation/operation.ts';
import * as outputs from '../../nodes/PortalIo/operation/output.ts';
import * as changes from '../../nodes/PortalIoPollingTrigger/events.ts';
import * as events from '../../nodes/PortalIoTrigger/events.ts';
import { OWNED_FOLDERS, writtenFiles } from './docs.mts';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const declarations = {
	...{ ...resources, ...operations, ...outputs, ...requestOptions, ...events, ...changes },
};
const files = await writtenFiles(declarations, read);

it.each([...files.keys()])('leaves %s as `npm run docs` writes it', (file) => {
	const written = existsSync(join(root, file)) ? read(file) : '';
	expect(written, 'run `npm run docs`').toBe(files.get(file));
});

it('leaves nothing else in the written folders', () => {
	const present = OWNED_FOLDERS.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.\w+$/.test(file))
			.map((file) => join(folder, file)),
	);
	expect(
		present.filter((file) => !files.has(file)),
		'`npm run docs` removes them',
	).toEqual([]);
});
