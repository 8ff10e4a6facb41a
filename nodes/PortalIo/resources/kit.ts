/**
 * The kit for declaring operations. Fields for IDs are in fields/locators.ts, changes with several
 * requests in operation/changes.ts, and records in client/model.ts.
 */
export { PortalError, statusOf } from '../../../client/errors';
export { path, type FieldValue, type ServiceRequest } from '../../../client/request';
export type { Shape } from '../../shared/shape';
export * as field from '../fields';
export type { Field, InputFile, Reading, Values } from '../fields/field';
export { FieldError, linesOf, readEntries, shown } from '../fields/values';
export * from '../operation/operation';
export * as request from '../operation/requests';
export { fromResponse, withKnown, type Result } from '../operation/output';
export * from './records';
