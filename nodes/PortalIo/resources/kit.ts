/** The kit for declaring operations. */
export { path, type FieldValue } from '../../../client/encoding';
export { isRecord, listOrNone, takeList } from '../../../client/data';
export { PortalError, statusOf } from '../../../client/errors';
export * from '../../../client/model';
export type { ServiceRequest } from '../../../client/request';
export type { Shape } from '../../shared/shape';
export * from '../fields/field';
export * from '../fields/locators';
export * from '../fields/types';
export { FieldError, linesOf, readEntries, shown } from '../fields/values';
export * from '../operation/changes';
export * from '../operation/operation';
export type { Result } from '../operation/output';
export * from '../operation/results';
export * from './records';
