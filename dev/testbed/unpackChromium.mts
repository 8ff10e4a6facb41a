/** Unpacks all parts of `@sparticuz/chromium` into the folder for temporary files. */
import { inflate } from '@sparticuz/chromium';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mts';

const parts = join(root, 'node_modules/@sparticuz/chromium/bin');
for (const part of readdirSync(parts)) await inflate(join(parts, part));
