import { randomBytes } from 'node:crypto';

/** A real audio file, made on the spot: a WAV of noise. */
export function makeRecording(): Buffer<ArrayBuffer> {
	const rate = 16_000;
	const samples = rate * 3;
	const header = Buffer.alloc(44);
	header.write('RIFF', 0);
	header.writeUInt32LE(36 + samples * 2, 4);
	header.write('WAVEfmt ', 8);
	header.writeUInt32LE(16, 16);
	// PCM, one channel, two bytes a sample.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * 2, 28);
	header.writeUInt16LE(2, 32);
	header.writeUInt16LE(16, 34);
	header.write('data', 36);
	header.writeUInt32LE(samples * 2, 40);
	return Buffer.concat([header, randomBytes(samples * 2)]);
}
