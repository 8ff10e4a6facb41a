import { parseArgs } from 'node:util';

import { seed, startSimulator } from './index.mts';
import { startPracticeService, type ServiceName } from './otherService/index.mts';
import { practiceServices } from './otherService/services.mts';

/**
 * The command `npm run simulator`: runs a simulator until Ctrl+C.
 *
 * --port N (default 4010; 0 takes a free one), --database FILE (default: in memory, lost at the
 * end), --service NAME (one of the services of otherService/services.mts, which differ from the
 * contract).
 */
const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		database: { type: 'string', default: ':memory:' },
		service: { type: 'string' },
		help: { type: 'boolean', short: 'h' },
	},
});

if (values.help) {
	console.log(
		'node dev/simulator/main.mts [--port 4010] [--database FILE] [--service NAME]\n' +
			`Services: ${Object.keys(practiceServices).join(', ')}`,
	);
	process.exit();
}

const { service } = values;
if (service !== undefined && !Object.hasOwn(practiceServices, service)) {
	console.error(`--service must be one of ${Object.keys(practiceServices).join(', ')}.`);
	process.exit(2);
}

try {
	const settings = {
		port: Number(values.port),
		database: values.database,
		log: (line: string) => console.log(`${new Date().toISOString()}  ${line}`),
	};
	const simulator =
		service === undefined
			? await startSimulator(settings)
			: await startPracticeService(service as ServiceName, settings);
	const { appKey, secretKey, username, password } = seed.dealer;
	console.log(`
A simulated Portal.io is running. Nothing in it is real.

  API            ${simulator.url}
  Customer page  ${simulator.url}/customer

Credential for n8n (Environment: Custom, Base URL: the address of the API; all made up):

  Application Key  ${appKey}
  Secret Key       ${secretKey}
  Email            ${username}
  Password         ${password}

Try proposal ${seed.proposals.staleTheatre} (a draft whose costs are out of date), or let the customer accept
${simulator.url}/customer/proposals/${seed.proposals.submitted}. Press Ctrl+C to stop.
`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, async () => {
			await simulator.stop();
			console.log('\nThe simulator has stopped.');
		});
	}
} catch (error) {
	const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
	console.error(isTaken ? `Port ${values.port} is taken; choose another with --port.` : error);
	process.exitCode = 1;
}
