/** What `npm run release:check` asks a person to fill in before the first release. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toFillIn, visibilityOf } from './publisher.mts';
import type { Publisher } from './publisher.mts';

const filledIn: Publisher = {
	name: 'n8n-nodes-portal-io',
	author: { name: 'Ada Byron', email: 'ada@byron.engineering' },
	homepage: 'https://github.com/byron/n8n-nodes-portal-io#readme',
	repository: { url: 'git+https://github.com/byron/n8n-nodes-portal-io.git' },
	bugs: { url: 'https://github.com/byron/n8n-nodes-portal-io/issues' },
};
const links = [{ file: 'PortalIo.node.json', url: 'https://docs.portal.io/' }];
const isPublic = { isPublic: true } as const;
const missing = { isPublic: false, reason: 'does not exist or is private' } as const;

/** The places that `toFillIn` names. */
const places = (...facts: Parameters<typeof toFillIn>) =>
	toFillIn(...facts).map((line) => line.split(':')[0]);

describe('what a person has to fill in', () => {
	it('is nothing once a person and a public repository are named', () =>
		expect(toFillIn(filledIn, isPublic, links)).toEqual([]));

	it.each(['ada@byron.example', 'ada@mail.example.org', 'ada@localhost', 'ada'])(
		'includes an author with the email %s',
		(email) => {
			const publisher = { ...filledIn, author: { ...filledIn.author, email } };
			expect(places(publisher, isPublic, links)).toEqual(['author.email in package.json']);
		},
	);

	it('includes an author when there is none', () =>
		expect(places({ ...filledIn, author: undefined }, isPublic, links)).toEqual([
			'author.name in package.json',
			'author.email in package.json',
		]));

	it('is the repository that nobody can read, with every link into it, and the reason', () => {
		const page = 'https://github.com/byron/n8n-nodes-portal-io';
		const found = toFillIn(filledIn, missing, [
			...links,
			{ file: 'PortalIoTrigger.node.json', url: `${page}/blob/main/docs/triggers.md` },
		]);
		expect(found).toEqual([
			`repository.url in package.json: a public repository, git+https://github.com/<owner>/<name>.git; now "git+${page}.git", which does not exist or is private`,
			expect.stringMatching(/^homepage in package.json: .*#readme"$/),
			expect.stringMatching(/^bugs.url in package.json: .*\/issues"$/),
			expect.stringMatching(
				/^the documentation link of PortalIoTrigger.node.json: .*triggers.md"$/,
			),
		]);
	});

	it('includes a repository that is not at GitHub', () => {
		const url = 'https://github.com.evil.example/byron/n8n-nodes-portal-io';
		const publisher = { ...filledIn, repository: { url } };
		expect(places(publisher, missing, links)[0]).toBe('repository.url in package.json');
	});

	it('includes links that were left behind in another repository', () => {
		const moved = { url: 'git+https://github.com/byron/portal.git' };
		expect(places({ ...filledIn, repository: moved }, isPublic, links)).toEqual([
			'homepage in package.json',
			'bugs.url in package.json',
		]);
	});
});

describe('a repository', () => {
	/** Asks a server for the repository `owner/name`. */
	async function visibilityAt(answer: RequestListener) {
		const server = createServer(answer).listen(0, '127.0.0.1');
		onTestFinished(() => {
			server.closeAllConnections();
			server.close();
		});
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return await visibilityOf(`http://127.0.0.1:${port}/owner/name`);
	}
	const status = (code: number, headers = {}) =>
		visibilityAt((_request, response) => response.writeHead(code, headers).end('text'));

	it('is public when a Git server lists its branches to anybody', async () => {
		const asked: unknown[] = [];
		const found = await visibilityAt(({ url, headers }, response) => {
			asked.push(url, headers.authorization);
			const type = 'application/x-git-upload-pack-advertisement';
			response.writeHead(200, { 'content-type': type }).end('001e# service=git-upload-pack\n');
		});
		expect(found).toEqual(isPublic);
		expect(asked).toEqual(['/owner/name.git/info/refs?service=git-upload-pack', undefined]);
	});

	it.each([
		[401, /does not exist or is private/],
		[404, /does not exist or is private/],
		[503, /answered 503/],
		[200, /is not a Git repository/],
	])('is not when the server answers %i', async (code, reason) =>
		expect(await status(code)).toEqual({
			isPublic: false,
			reason: expect.stringMatching(reason),
		}),
	);
});
