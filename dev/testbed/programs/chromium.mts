/** Finds a Chromium, which shows n8n's editor. */
import { writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { run } from '../processGroup.mts';
import { programsFolder, root } from '../paths.mts';
import { MissingProgram, firstThatRuns, installed, makeOnce, type Program } from './find.mts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'Google Chrome'];
const macFolder = '/Applications/Google Chrome.app/Contents/MacOS';
const folder = join(programsFolder, 'chromium');

/** The machine's Chromium or Chrome, or the package `@sparticuz/chromium`. */
export async function findChromium(): Promise<Program> {
	const found = firstThatRuns(installed(names, [macFolder])) ?? firstThatRuns(await packaged());
	if (found) return found;
	throw new MissingProgram(
		'Chromium',
		'Install it: `apt-get install chromium`, `dnf install chromium` or `brew install google-chrome`.',
	);
}

/** The package holds a compressed program for Linux on x64, with the libraries and fonts it needs. */
async function packaged(): Promise<Program[]> {
	if (platform() !== 'linux' || arch() !== 'x64') return [];
	await makeOnce(folder, unpack);
	return [
		{
			file: join(folder, 'chromium'),
			env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: folder },
		},
	];
}

async function unpack(unfinished: string): Promise<void> {
	// The package unpacks into the folder for temporary files, whichever that is.
	const script = join(import.meta.dirname, 'unpackChromium.mts');
	await run(process.execPath, [script], { cwd: root, env: { TMPDIR: unfinished } });
	const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`;
	await writeFile(join(unfinished, 'fonts.conf'), fonts);
}
