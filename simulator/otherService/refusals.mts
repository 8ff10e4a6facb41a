import type { Operation } from '../contract.mts';
import { ServiceError, type FieldError } from '../errors.mts';
import { theirPlace } from './names.mts';
import type { OtherService } from './settings.mts';

/** `AreaOptionId` as `Area Option Id`, as the framework's validation writes names. */
const spelled = (name: string) =>
	name.slice(name.lastIndexOf('.') + 1).replaceAll(/([a-z\d])([A-Z])/g, '$1 $2');

function theirError(
	service: OtherService,
	operation: Operation,
	{ errorCode, fieldName, message }: FieldError,
): FieldError {
	const name = theirPlace(service, operation, fieldName);
	if (errorCode === 'required' || errorCode === 'minItems' || errorCode === 'minLength') {
		const words = `'${spelled(name)}' must not be empty.`;
		return { errorCode: 'NotEmpty', fieldName: name, message: words };
	}
	// the validator's codes are lower case; those of handlers have words of their own
	if (/^[a-z]/.test(errorCode)) {
		const words = `'${spelled(name)}' is not in the correct format.`;
		return { errorCode: 'Predicate', fieldName: name, message: words };
	}
	const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
	const reworded = message.replaceAll(new RegExp(`\\b${lastOf(fieldName)}\\b`, 'g'), lastOf(name));
	return { errorCode, fieldName: name, message: reworded };
}

/** The same refusal in the words and names of this service. */
export function theirRefusal(
	service: OtherService,
	operation: Operation,
	refusal: ServiceError,
): ServiceError {
	const { status, fields } = refusal;
	if (fields.length === 0) return refusal;
	if ((service.validation ?? 'fields') !== 'fields') {
		const message = status === 400 ? 'The request is invalid.' : refusal.message;
		return new ServiceError(status, message);
	}
	const theirs = fields.map((field) => theirError(service, operation, field));
	return new ServiceError(status, theirs[0]!.message, theirs);
}
