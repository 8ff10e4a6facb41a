import { Probe, type ProbeOptions } from '../../probe/probe.mts';
import { Service } from '../../probe/service.mts';
import { seed } from '../../simulator/index.mts';
import { requestHelper } from '../../testbed/nodeRunner.mts';

const { appKey, secretKey, username, password } = seed.dealer;
export const keys = { appKey, secretKey, username, password };

/** A probe of the service at an address, without pauses between its requests. */
export function probeOf(baseUrl: string, options?: ProbeOptions): Probe {
	const service = new Service({
		baseUrl,
		keys,
		httpRequest: requestHelper() as never,
		signal: new AbortController().signal,
		intervalMs: 0,
	});
	return new Probe(service, options);
}
