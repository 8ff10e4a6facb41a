import type { Request, Response } from 'express';

import { authenticate } from '../../authentication.mts';
import type { Operation } from '../../contract.mts';
import { httpErrorBody, ServiceError } from '../../errors.mts';
import type { World } from '../../world.mts';
import type { DiscoveryPage, OtherService } from '../settings.mts';
import { operationPage, operationsPage } from './metadataPages.mts';
import { describe, type Model } from './model.mts';
import { openApi } from './openapi.mts';
import { typesMetadata } from './typesMetadata.mts';
import { typescriptTypes } from './typescript.mts';

/** What makes a page; text is HTML or TypeScript, everything else is JSON. */
const makers: Record<DiscoveryPage, (model: Model, host: string, casing: Casing) => unknown> = {
	'/metadata': (model, host) => operationsPage(model, `http://${host}`),
	'/types/typescript': (model, host, casing) => typescriptTypes(model, `http://${host}`, casing),
	'/types/metadata': (model, host) => typesMetadata(model, `http://${host}`),
	'/openapi': openApi,
	'/swagger.json': openApi,
};

type Casing = 'camelCase' | 'PascalCase';

/** The content of a page, or undefined when this service does not have it. */
function contentOf(
	{ discovery }: OtherService,
	path: string,
	query: URLSearchParams,
	host: string,
	model: () => Model,
): unknown {
	const { pages = [], casing = 'camelCase' } = discovery ?? {};
	if (path === '/json/metadata' && pages.includes('/metadata')) {
		const { operations, types } = model();
		const found = operations.find(({ request }) => request.name === query.get('op'));
		return found && operationPage(found, types, host);
	}
	const page = pages.find((one) => one === path);
	return page && makers[page](model(), host, casing);
}

/** Whether the request has a valid signature of a user; responds to it otherwise. */
function isSigned(world: World, request: Request, response: Response, target: string): boolean {
	try {
		authenticate(request, world, false, target);
		return true;
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		response.status(error.status).json(httpErrorBody(error.status, error.message, error.fields));
		return false;
	}
}

/** Responds to a request for a discovery page; false when this service has no such page. */
export function serveDiscovery(
	service: OtherService,
	world: World,
	request: Request,
	response: Response,
	operations: readonly Operation[],
): boolean {
	if (request.method !== 'GET') return false;
	const [path = '', query] = request.url.split('?');
	const host = request.headers.host ?? '';
	const model = () => describe(service, operations);
	const content = contentOf(service, path, new URLSearchParams(query), host, model);
	if (content === undefined) return false;
	const target = service.signedQuery ? request.url : path;
	if (service.discovery?.isSigned && !isSigned(world, request, response, target)) return true;
	if (typeof content === 'string') {
		response.type(path === '/types/typescript' ? 'text/plain' : 'text/html').send(content);
	} else {
		response.json(content);
	}
	return true;
}
