/** The package as npm would publish it: packed, unpacked, and looked into. */
import { execa } from 'execa';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Tarball {
	folder: string;
	file: string;
	files: string[];
	/** Of the file, in bytes. */
	size: number;
	discard(): Promise<void>;
}

interface Packed {
	filename: string;
	size: number;
	files: { path: string }[];
}

export async function pack(root: string): Promise<Tarball> {
	const place = await mkdtemp(join(tmpdir(), 'n8n-nodes-portal-io-'));
	// No scripts: `prepublishOnly` runs the tests.
	const options = ['--json', '--ignore-scripts', '--pack-destination', place];
	const { stdout } = await execa('npm', ['pack', ...options], { cwd: root });
	const [packed] = JSON.parse(stdout) as [Packed];
	const file = join(place, packed.filename);
	await execa('tar', ['-xzf', file, '-C', place]);
	return {
		folder: join(place, 'package'),
		file,
		files: packed.files.map(({ path }) => path).sort(),
		size: packed.size,
		discard: () => rm(place, { recursive: true, force: true }),
	};
}

/** What the package is made of, and nothing else. */
const expected = [
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
	/^dist\/(credentials|nodes|client)\/.+\.js$/,
	/^dist\/nodes\/(\w+)\/\1\.node\.json$/,
	/^dist\/nodes\/\w+\/__schema__\/.+\.json$/,
	/^dist\/icons\/[\w.]+\.svg$/,
];
const needed = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
/** Of the packed file: all of it is code and a few small texts. */
const LARGEST = 150_000;

/** What is wrong with the content of the package, one line each. */
export function contentProblems({ files, size }: Tarball): string[] {
	return [
		...files
			.filter((file) => !expected.some((pattern) => pattern.test(file)))
			.map((file) => `${file} does not belong into the package`),
		...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
		...(size > LARGEST ? [`the package has ${size} bytes, more than ${LARGEST}`] : []),
	];
}
