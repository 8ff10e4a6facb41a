import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { CredentialError, RefusedLogin } from '../../client/account.ts';
import { toNodeError } from '../../client/errors.ts';
import type { Failure } from '../../client/response.ts';

const LATER = { 'retry-after': '90' };

it.each<[string, Partial<Failure>, object | undefined]>([
	['limit', { status: '429', headers: LATER }, { cause: 'rate-limited', retryAfterMs: 90_000 }],
	['service that is down', { status: '503' }, { cause: 'temporarily-unavailable' }],
	['broken connection', { code: 'ECONNREFUSED' }, { cause: 'temporarily-unavailable' }],
	['refused request', { status: '401' }, { cause: 'credential-invalid' }],
	['refused login', { credential: new RefusedLogin('no') }, { cause: 'credential-invalid' }],
	['login that failed', { credential: new CredentialError('cannot be reached') }, undefined],
	['value that is not accepted', { status: '400' }, undefined],
])('tells n8n, which spaces polls by it, why a request failed: %s', (_name, failure, expected) => {
	const node = { name: 'Poll', type: 'poll' } as INode;
	const error = toNodeError(node, { status: '', code: '', headers: {}, ...failure });
	expect(error.failure).toEqual(expected);
});
