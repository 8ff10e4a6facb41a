import { EventEmitter } from 'node:events';

/** The part of an HTTP response that tells a webhook how it ended. */
export class ResponseStandIn extends EventEmitter {
	closed = false;
	statusCode = 200;
	writableEnded = false;
	/** Whether the sender was there to receive the response. */
	writableFinished = false;

	status(statusCode: number): this {
		this.statusCode = statusCode;
		return this;
	}

	/** Answers the sender, if it is still there. */
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
