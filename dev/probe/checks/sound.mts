/** What is uploaded: a second of sound, and a text that an outline can be made from. */

const RATE = 8000;
const HEADER_BYTES = 44;

/** One second of a quiet tone, as a WAV file with 16 bits a sample. */
export function oneSecondOfSound(): Buffer {
	const bytes = RATE * 2;
	const file = Buffer.alloc(HEADER_BYTES + bytes);
	file.write('RIFF', 0, 'ascii');
	file.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
	file.write('WAVEfmt ', 8, 'ascii');
	file.writeUInt32LE(16, 16);
	file.writeUInt16LE(1, 20);
	file.writeUInt16LE(1, 22);
	file.writeUInt32LE(RATE, 24);
	file.writeUInt32LE(bytes, 28);
	file.writeUInt16LE(2, 32);
	file.writeUInt16LE(16, 34);
	file.write('data', 36, 'ascii');
	file.writeUInt32LE(bytes, 40);
	for (let sample = 0; sample < RATE; sample++) {
		const height = Math.sin((2 * Math.PI * 440 * sample) / RATE);
		file.writeInt16LE(Math.round(3000 * height), HEADER_BYTES + sample * 2);
	}
	return file;
}

/** What a dealer would say of a small project. */
export const PROJECT = `The customer wants one television on the wall of the family room, with a
tilting mount and two in-ceiling speakers. There is one Wi-Fi access point in the hall. Installation
takes half a day.
`;
