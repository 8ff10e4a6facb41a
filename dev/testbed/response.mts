import { EventEmitter } from 'node:events';

/** Stand-in for an HTTP response, with the members that show a webhook how the response ended. */
export class ResponseStandIn extends EventEmitter {
	closed = false;
	statusCode = 200;
	writableEnded = false;
	/** Whether the sender received the response. */
	writableFinished = false;

	status(statusCode: number): this {
		this.statusCode = statusCode;
		return this;
	}

	/** Sends the response, unless the sender has hung up. */
	end(): void {
		this.writableEnded = true;
		this.writableFinished = !this.closed;
		if (!this.closed) this.hangUp();
	}

	hangUp(): void {
		this.closed = true;
		this.emit('close');
	}
}
