import { randomUUID } from 'node:crypto';
import { CredentialError } from './account';

/**
 * A multipart form whose boundary is known before it is sent, as its signature needs it.
 *
 * n8n's HTTP client takes it for the form it would have made itself, because it has `append` and
 * `getHeaders`; axios takes it for a standard form and uses the boundary of the header.
 */
class SignableForm extends FormData {
	readonly contentType = `multipart/form-data; boundary=n8n-portal-io-${randomUUID()}`;

	getHeaders() {
		return { 'Content-Type': this.contentType };
	}

	/** n8n asks for the length before axios, which works it out for itself, has seen the form. */
	getLength(answer: (error: unknown, length?: number) => void) {
		answer(null, undefined);
	}
}

/** A field as the HTTP Request node describes it. */
interface FileField {
	value: unknown;
	options?: { filename?: string; contentType?: string };
}

/**
 * Makes a multipart form signable.
 *
 * @param form the fields by name, or a form made by the form-data package
 * @throws CredentialError for a file that is a stream: it can be sent only once, and n8n sends a
 * request again when the user key has expired
 */
export function signableForm(form: unknown): { contentType: string } {
	if (form instanceof SignableForm) return form;
	if (typeof form !== 'object' || form === null) {
		throw new CredentialError('The multipart body of the request holds no fields');
	}
	// It came with a boundary of its own.
	if ('getHeaders' in form && typeof form.getHeaders === 'function') {
		const headers = form.getHeaders() as Record<string, string>;
		return Object.assign(form, { contentType: headers['content-type'] ?? '' });
	}
	const signable = new SignableForm();
	const fields = form instanceof FormData ? [...form.entries()] : Object.entries(form);
	for (const [name, value] of fields) {
		for (const entry of Array.isArray(value) ? value : [value]) append(signable, name, entry);
	}
	return signable;
}

function append(form: SignableForm, name: string, field: unknown): void {
	if (typeof field === 'object' && field !== null && 'value' in field) {
		const { value, options = {} } = field as FileField;
		if (Buffer.isBuffer(value)) {
			const file = new Blob([new Uint8Array(value)], { type: options.contentType });
			form.append(name, file, options.filename ?? 'file');
			return;
		}
		throw new CredentialError(`The file in the field '${name}' cannot be signed from this node`, {
			description:
				'n8n sends it as a stream under a boundary that it makes up after the signature. Use the Portal.io node to upload AI content.',
		});
	}
	if (field instanceof Blob) form.append(name, field);
	else if (Buffer.isBuffer(field)) form.append(name, new Blob([new Uint8Array(field)]));
	else form.append(name, typeof field === 'object' ? JSON.stringify(field) : String(field));
}
