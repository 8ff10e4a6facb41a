import { EventEmitter } from 'node:events';

/** As much of an HTTP response as tells a webhook what became of it. */
export class ResponseStandIn extends EventEmitter {
	closed = false;
	statusCode = 200;
	writableEnded = false;

	status(statusCode: number): this {
		this.statusCode = statusCode;
		return this;
	}

	/** Answers the sender. */
	end(): void {
		this.writableEnded = true;
		this.hangUp();
	}

	/** The sender is gone, answered or not. */
	hangUp(): void {
		this.closed = true;
		this.emit('close');
	}
}
