import { parseArgs } from 'node:util';
import { seed, startSimulator } from './index.mts';

/** Implements `npm run simulator`, which runs a simulator until Ctrl+C. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '4010' } } });

try {
	const simulator = await startSimulator({
		port: Number(values.port),
		log: (line: string) => console.log(`${new Date().toISOString()}  ${line}`),
	});
	const { appKey, secretKey, username, password } = seed.dealer;
	console.log(`
A simulated Portal.io is running. Nothing in it is real.

  API            ${simulator.url}
  Client's page  ${simulator.url}/client

Credential for n8n (Environment: Custom, Base URL: the URL of the API; all fictional):

  Application Key  ${appKey}
  Secret Key       ${secretKey}
  Email            ${username}
  Password         ${password}

Try proposal ${seed.proposals.staleTheater} (a draft whose costs are out of date), or let the client accept
${simulator.url}/client/proposals/${seed.proposals.submitted}. Press Ctrl+C to stop.
`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, async () => {
			await simulator.stop();
			console.log('\nThe simulator has stopped.');
		});
	}
} catch (error) {
	const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
	console.error(isTaken ? `Port ${values.port} is in use. Choose another one with --port.` : error);
	process.exitCode = 1;
}
