/** The kit for declaring operations; changes with several requests are in operation/changes.ts. */
export { PortalError, statusOf } from '../../../client/errors';
export { type FieldValue, path, type ServiceRequest } from '../../../client/request';
export type { Shape } from '../../shared/shape';
export * as field from '../fields/types';
export type { Field, InputFile, Reading, Values } from '../fields/field';
export * from '../fields/locators';
export { FieldError, linesOf, readEntries, shown } from '../fields/values';
export * from '../operation/operation';
export { fromResponse, withKnown, type Result } from '../operation/output';
export * from './records';
